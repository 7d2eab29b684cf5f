"""What type checkers see of the public interface; `__init__.py` loads it lazily."""

from gate.local.gate import Gate as Gate
from gate.local.gate import check as check
from gate.model import Policy as Policy
from gate.reports.model import Report as Report

__version__: str
