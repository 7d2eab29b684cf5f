"""What a team decides about its gate."""

from .entry import MANAGED, UsagePlan
from .error import PropertyError
from .gate_props import GateProps, check_region
from .searches import DomainSearch, ExistingSearch, KnowledgeBaseSearch, Searching, ServerlessSearch
from .sizes import RUN_TOKENS, FunctionSize

__all__ = [
    "MANAGED",
    "RUN_TOKENS",
    "DomainSearch",
    "ExistingSearch",
    "FunctionSize",
    "GateProps",
    "KnowledgeBaseSearch",
    "PropertyError",
    "Searching",
    "ServerlessSearch",
    "UsagePlan",
    "check_region",
]
