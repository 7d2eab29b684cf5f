"""The deployment, in CDK: stacks, constructs and the state machine. Holds no behaviour; that is in `gate`."""

from .node import use_bundled_node

use_bundled_node()
