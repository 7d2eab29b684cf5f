"""What can go wrong, as a tree; the class names are what Step Functions matches on.

    GateError                     code, safe_message, hint
    ├── InputError                the caller's fault: HTTP 400, exit 2, never retried
    │     ConflictError  ExpiredError
    ├── SettingsError             the deployer's fault: says which setting, and an example
    ├── DependencyError           somebody else's fault: retried by the state machine
    │     ModelThrottledError  ModelUnavailableError  SearchUnavailableError  StorageUnavailableError
    │     EventsUnavailableError
    ├── AnswerError               the model spoke and we could not read it: one repair, then unchecked
    │     AnswerRefusedError        it would not, or must not, speak: asking again does not help
    ├── BudgetReachedError        the run has spent what it may: what is left stays unchecked
    └── InternalError             a bug
          StateTooLargeError

`safe_message` is what may leave a Lambda: it names places, sizes and settings, never the text of a
transcript, passage or prompt. Meaning is carried by the class, never read out of a message.
"""

from __future__ import annotations

from collections.abc import Mapping


class GateError(Exception):
    """Base of every error that the gate raises on purpose.

    Args:
        safe_message: one line for people and for the execution history; holds no user text.
        hint: what to do about it, one line, may be empty.
    """

    def __init__(self, safe_message: str, *, hint: str = "") -> None:
        super().__init__(safe_message)
        self.safe_message = safe_message
        self.hint = hint

    @property
    def code(self) -> str:
        """The class name: the stable identifier of the error."""
        return type(self).__name__


class InputError(GateError):
    """What was handed in cannot be used."""


class ConflictError(InputError):
    """What was handed in contradicts what is there already: HTTP 409."""


class ExpiredError(InputError):
    """What is asked for was there, and is kept no longer: HTTP 410."""


class SettingsError(GateError):
    """The deployment or the environment is set up wrongly."""


class DependencyError(GateError):
    """A service that the gate relies on did not do its part."""


class ModelThrottledError(DependencyError):
    """The model service refused for rate or quota."""


class ModelUnavailableError(DependencyError):
    """The model service failed or could not be reached."""


class SearchUnavailableError(DependencyError):
    """The search engine failed, sleeps or could not be reached."""


class StorageUnavailableError(DependencyError):
    """The store of blobs, or the service that starts runs, failed or could not be reached."""


class EventsUnavailableError(DependencyError):
    """The event bus did not take an event; the report that it was about is there."""


class AnswerError(GateError):
    """A model's answer could not be read.

    Args:
        model, usage: who answered and what it cost, as on a `Reply`: an answer nobody can read is paid for too.
    """

    def __init__(
        self, safe_message: str, *, hint: str = "", model: str = "", usage: Mapping[str, int] | None = None
    ) -> None:
        super().__init__(safe_message, hint=hint)
        self.model = model
        self.usage = dict(usage or {})


class AnswerRefusedError(AnswerError):
    """The model refused, a guardrail stepped in, or the evidence is too long for it: the same question again is of no
    use."""


class BudgetReachedError(GateError):
    """The run has spent the tokens it may spend."""


class InternalError(GateError):
    """A bug in the gate."""


class StateTooLargeError(InternalError):
    """A task was about to return more than the state machine carries."""


RETRYABLE: tuple[str, ...] = (
    "Lambda.ServiceException",
    "Lambda.AWSLambdaException",
    "Lambda.SdkClientException",
    "Lambda.ClientExecutionTimeoutException",
    "Lambda.TooManyRequestsException",
    ModelThrottledError.__name__,
    ModelUnavailableError.__name__,
    SearchUnavailableError.__name__,
    StorageUnavailableError.__name__,
    EventsUnavailableError.__name__,
)
"""Names that the state machine's one Retry policy lists."""
