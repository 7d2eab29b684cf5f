"""What a folder with an exported cross-encoder says of it in `verifier.json`: how it is fed, what its figures mean."""

from __future__ import annotations

import gzip
import io
import zlib
from importlib.resources.abc import Traversable
from typing import Annotated, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, ValidationError, model_validator

from gate.adapters.local_verifier.calibration import Calibration, Coefficient, Step
from gate.adapters.local_verifier.lexical import EXTENT
from gate.adapters.local_verifier.lexical import FEATURES as COUNTED
from gate.adapters.local_verifier.windows import WIDE_WORDS
from gate.errors import InputError, SettingsError, first_misfit
from gate.text.formats import strict_json

FILE = "verifier.json"
MAX_BYTES = 10_000_000
VIEWS = ("window", "sentence")
"""What is read beside the claim: the sentences of all documents that cover it best, and the best sentence alone."""
MARGINS = tuple(f"{view}_{side}" for view in VIEWS for side in ("support", "refute"))
WEIGHED = (*COUNTED, *MARGINS, EXTENT)
"""Names of what a calibration may weigh, in the order of `Joined.features`."""
SLOTS = ("{claim}", "{evidence}")
UNCALIBRATED = {"bias": 0.0, "weights": [1.0]}, {"bias": -4.0, "weights": [0.0]}
"""Where a folder has no calibration: the encoder's own probability of support, and partial support hardly ever."""

Logit = Literal["support", "refute", "neither"]
FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,80}$")]
"""Of a file in the folder itself."""
InputName = Annotated[str, Field(min_length=1, max_length=200)]
M = TypeVar("M", bound=BaseModel)


class EncoderInputs(BaseModel):
    """Names of the model's inputs, each of shape (1, tokens); None: it has none of the kind."""

    model_config = ConfigDict(extra="forbid")
    ids: InputName = "input_ids"
    attention: InputName | None = "attention_mask"
    segments: InputName | None = None


class EncoderWindow(BaseModel):
    """Words of evidence that are chosen, tokens that the model reads, and how many of these a claim may take."""

    model_config = ConfigDict(extra="forbid")
    words: int = Field(default=WIDE_WORDS, ge=1, le=10_000)
    tokens: int = Field(default=512, ge=16, le=32_768)
    claim_tokens: int = Field(default=96, ge=1, le=4_096)


class DescribedStep(BaseModel):
    """One logistic step, as `Step` has it."""

    model_config = ConfigDict(extra="forbid")
    bias: Coefficient
    weights: list[Coefficient]


class DescribedKind(BaseModel):
    """The steps of a kind of source, as `Calibration` has them."""

    model_config = ConfigDict(extra="forbid")
    supported: DescribedStep
    weak: DescribedStep
    refuted: DescribedStep | None = None

    def steps(self) -> list[DescribedStep]:
        """Those that are there, in the order of `Calibration`."""
        return [step for step in (self.supported, self.weak, self.refuted) if step]

    def calibration(self) -> Calibration:
        """The steps themselves."""
        return Calibration(*(Step(one.bias, tuple(one.weights)) for one in self.steps()))


class DescribedLayer(BaseModel):
    """A calibration of each kind of source, over features by name; what else the file says is passed over."""

    version: str = Field(default="", pattern=r"^[A-Za-z0-9_.-]{0,40}$")
    features: list[str] = Field(min_length=1)
    kinds: dict[str, DescribedKind] = Field(min_length=1)

    @model_validator(mode="after")
    def _fits_its_features(self) -> Self:
        unknown = [name for name in self.features if name not in WEIGHED]
        if unknown:
            raise ValueError(f"the feature {unknown[0][:40]!r} is not known")
        for kind, steps in self.kinds.items():
            if any(len(step.weights) != len(self.features) for step in steps.steps()):
                raise ValueError(f"{kind[:40]}: each step has one weight for each of the {len(self.features)} features")
        return self


GivenLayer = Annotated[
    Annotated[FileName, Tag("file")] | Annotated[DescribedLayer, Tag("layer")],
    Discriminator(lambda given: "file" if isinstance(given, str) else "layer"),
]
"""Told apart before they are read, so that a message is about the one that was meant."""


class EncoderDescription(BaseModel):
    """What stands in `verifier.json`.

    Attributes:
        logits: what each of the model's figures speaks for, in order; the rest of it speaks against support.
        template: what is encoded, with `{claim}` and `{evidence}` each once; special tokens by their names.
        calibration: a file in the folder (`.json`, `.json.gz`), or the calibration itself; None: there is none.
    """

    model_config = ConfigDict(extra="forbid")
    format: Literal["gate-verifier/1"]
    name: str = Field(pattern=r"^[A-Za-z0-9_.-]{1,80}$")
    model: FileName = "model.onnx"
    tokenizer: FileName = "tokenizer.json"
    inputs: EncoderInputs = EncoderInputs()
    output: InputName = "logits"
    logits: list[Logit] = Field(min_length=1, max_length=20)
    template: str = Field(max_length=2_000)
    window: EncoderWindow = EncoderWindow()
    calibration: GivenLayer | None = None

    @model_validator(mode="after")
    def _can_be_used(self) -> Self:
        if self.logits.count("support") != 1 or self.logits.count("refute") > 1:
            raise ValueError("logits: one of them is support, and one at most refute")
        if any(self.template.count(slot) != 1 for slot in SLOTS):
            raise ValueError("template: holds {claim} and {evidence}, each once")
        if self.window.claim_tokens >= self.window.tokens:
            raise ValueError("window: a claim of claim_tokens leaves no room for evidence")
        return self


def read_description(folder: Traversable) -> EncoderDescription:
    """Read a folder's `verifier.json`.

    Raises:
        SettingsError: there is none, or it cannot be used; the message begins with the file's name.
    """
    return _read(folder, FILE, EncoderDescription)


def read_layer(folder: Traversable, told: EncoderDescription) -> DescribedLayer:
    """Read the calibration that a description names or holds, or make the one of an encoder without.

    Raises:
        SettingsError: the file is not there or cannot be used, or weighs what the encoder does not tell.
    """
    if told.calibration is None:
        kind = DescribedKind.model_validate(dict(zip(("supported", "weak"), UNCALIBRATED, strict=True)))
        kinds = dict.fromkeys(("passage", "article", "snippet"), kind)
        return DescribedLayer(version="uncalibrated", features=[MARGINS[0]], kinds=kinds)
    found = told.calibration
    layer = _read(folder, found, DescribedLayer) if isinstance(found, str) else found
    if "refute" not in told.logits and any(name.endswith("_refute") for name in layer.features):
        raise SettingsError(f"{FILE}: the calibration weighs what refutes, and the logits do not tell it")
    return layer


def plain_file(folder: Traversable, name: str) -> Traversable:
    """A file of the folder; a pipe would be waited for, and a device be read for ever.

    Raises:
        SettingsError: there is no such file.
    """
    found = folder.joinpath(name)
    if not found.is_file():
        raise SettingsError(f"{name}: no such file")
    return found


def _read(folder: Traversable, name: str, shape: type[M]) -> M:
    try:
        with plain_file(folder, name).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if name.endswith(".gz"):
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise SettingsError(f"{name}: larger than {MAX_BYTES} bytes")
        return shape.model_validate(strict_json.load(data.decode()))
    except (OSError, EOFError, zlib.error) as error:
        why = (getattr(error, "strerror", None) or "is damaged").lower()
        raise SettingsError(f"{name}: {why}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{name}: not UTF-8") from None
    except InputError as error:
        raise SettingsError(f"{name}: {error.safe_message}") from None
    except ValidationError as error:
        raise SettingsError(f"{name}: {first_misfit(error)}") from None
