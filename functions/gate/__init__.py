"""Checks what a language model wrote, claim by claim, against documents you trust.

`check`, `Gate`, `Policy` and `Report` are the public interface, loaded when they are first asked for; the modules below
are the gate's own.
"""

__version__ = "0.1.0"

_HOMES = {
    "Gate": "gate.local.gate",
    "Policy": "gate.model",
    "Report": "gate.reports.model",
    "check": "gate.local.gate",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
