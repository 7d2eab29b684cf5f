"""What can go wrong, as a tree; the class names are what Step Functions matches on.

    GateError                     code, safe_message, hint
    ├── InputError                the caller's fault: HTTP 400, exit 2, never retried
    │     ConflictError  ExpiredError
    ├── SettingsError             the deployer's fault: says which setting, and an example
    │     RequestRefusedError  DamagedIndexError
    ├── DependencyError           somebody else's fault: retried by the state machine
    │     ModelThrottledError  ModelUnavailableError  SearchUnavailableError  StorageUnavailableError
    │     EventsUnavailableError  BusyError
    │     TooSlowError  UnreachableError   not retried: the service was waited for, twice
    ├── AnswerError               the model spoke and we could not read it: one repair, then unchecked
    │     AnswerRefusedError        it would not, or must not, speak: asking again does not help
    ├── UnmeasuredLanguageError   nobody knows how well this verifier reads the claim's language: unchecked
    ├── BudgetReachedError        the run has spent what it may: what is left stays unchecked
    ├── ReviewOverError           what a person was to be asked is over: the run goes on without asking
    └── InternalError             a bug
          StateTooLargeError

`safe_message` and `hint` are what may leave a Lambda: they name places, sizes and settings, never the text of a
transcript, passage or prompt. Meaning is carried by the class, never read out of a message. All classes stand in this
module: the state machine lists them by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pydantic import ValidationError

TOLD_BYTES = 240
"""Of message and hint at most as they leave a Lambda: a state holds those of 400 branches."""


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

    @property
    def reason(self) -> str:
        """Class, message and hint in one line: why something could not be done."""
        return f"{self.code}: {self._told()}"

    def __str__(self) -> str:
        """Message and hint in one line of `TOLD_BYTES` at most: what Lambda makes the `errorMessage` of the cause."""
        told = self._told().encode("utf-8", "replace")
        return told[:TOLD_BYTES].decode("utf-8", "ignore")

    def _told(self) -> str:
        return self.safe_message + (f"; {self.hint}" if self.hint else "")


class InputError(GateError):
    """What was handed in cannot be used."""


class ConflictError(InputError):
    """What was handed in contradicts what is there already: HTTP 409."""


class ExpiredError(InputError):
    """What is asked for was there, and is kept no longer: HTTP 410."""


class SettingsError(GateError):
    """The deployment or the environment is set up wrongly."""


class RequestRefusedError(SettingsError):
    """A service would not take a request as it is (400)."""


class DamagedIndexError(SettingsError):
    """An index on disk is not what its manifest says, or was written by another version."""

    def __init__(self, index: str, what: str) -> None:
        self.index, self.what = index, what
        super().__init__(
            f"index {index!r} is damaged: {what}", hint=f"gate index delete {index}, then add the corpus again"
        )


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


class BusyError(DependencyError):
    """Somebody else is at it, or has taken what there was for now: to be tried again later, and nothing is wrong."""


class TooSlowError(DependencyError):
    """A service gave no answer in the time that it may take, and was asked again already."""


class UnreachableError(DependencyError):
    """Nobody answers at the address of a service, and nobody ever has."""


class AnswerError(GateError):
    """A model's answer could not be read.

    Args:
        model, usage: who answered and what it cost, as of a `Completion`: an answer nobody can read is paid for too.
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


class UnmeasuredLanguageError(GateError):
    """A claim is in a language in which its verifier was not measured; `verifier` names it."""

    def __init__(self, language: str, verifier: str) -> None:
        self.verifier = verifier
        super().__init__(
            f"the claim is in {language}, in which this verifier was not measured",
            hint="GATE_MODEL=bedrock:<model id> has a language model judge it",
        )


class BudgetReachedError(GateError):
    """The run has spent the tokens it may spend."""


class ReviewOverError(GateError):
    """A person was to be asked who has answered already, or whose time is over: the run goes on."""


class InternalError(GateError):
    """A bug in the gate."""


def missing_blob(key: str) -> InternalError:
    """What is wrong where a store of blobs lacks one that must be there."""
    return InternalError(f"blob {key.rsplit('/', 1)[-1][:64]} is missing")


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
WAITED_FOR: tuple[str, ...] = (BusyError.__name__,)
"""Names that it waits for as long as a run may take: nothing is wrong, and no try is spent."""


def names_of(base: type[GateError]) -> tuple[str, ...]:
    """Names of a class and of all below it."""
    return (base.__name__, *(name for one in base.__subclasses__() for name in names_of(one)))


TELLING: tuple[str, ...] = names_of(GateError)
"""Names of all errors of ours: the cause of each is JSON, whose `errorMessage` is safe to keep."""
OF_SETTINGS: tuple[str, ...] = names_of(SettingsError)
"""Names of those that nothing but a change of the settings mends."""


SILENT = {"States.Timeout": "no answer in time", "Sandbox.Timedout": "the function ran out of time"}
"""What errors say that are not of ours."""


def reason_of(error: str, why: str | None) -> str:
    """Return in one line what a Catch kept of an error: its name, and what it says."""
    said = why or SILENT.get(error)
    return f"{error}: {said}" if said else error


class Misfit(NamedTuple):
    """Where a document first does not fit its model, and why; holds nothing of its values.

    Attributes:
        place: keys and positions from the root, joined by dots; empty for the document itself.
        is_unknown: whether the model knows no such key.
    """

    place: str
    message: str
    is_unknown: bool

    def __str__(self) -> str:
        """Place and message in one line."""
        return f"{self.place or 'the document'}: {self.message}"


KEY_CHARS = 40
"""Of a key at most: whoever wrote the document wrote it."""


def first_misfit(error: ValidationError, within: str = "") -> Misfit:
    """Return the first place that a model objects to; `within`: where the document itself stands."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    parts = [_key(str(part)) for part in first["loc"]]
    place = ".".join([within, *parts] if within else parts)
    return Misfit(place, first["msg"], first["type"] == "extra_forbidden")


def _key(text: str) -> str:
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text[:KEY_CHARS])
