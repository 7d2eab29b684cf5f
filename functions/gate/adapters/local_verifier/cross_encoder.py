"""A cross-encoder on onnxruntime: does this evidence support the claim, refute it, or neither?

What its inputs and figures are, the folder's `verifier.json` says. The one that ships is a fine-tuned
bge-small-en-v1.5, int8; made by training/, described in docs/model-cards/cross-encoder.md. It never decides a label
alone: its margins are four more features of the calibrated layer.
"""

from __future__ import annotations

import contextlib
import math
import mmap
import os
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import resources
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any

from gate.adapters.local_verifier.description import FILE, MARGINS, SLOTS, Logit, plain_file, read_description
from gate.adapters.local_verifier.windows import WIDE_WORDS
from gate.errors import AnswerRefusedError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from importlib.resources.abc import Traversable
    from pathlib import Path

    from gate.adapters.local_verifier.lexical import Reading

NEEDS = ("numpy", "onnxruntime", "tokenizers")
MAX_BYTES = 2**31
"""Of a model, which can be no larger in ONNX, and of a tokenizer."""
MAX_WEIGHTS, MOST_FILES = 2**34, 1_000
"""Of a file with weights of a model; of its folder."""
LONGEST_S = 60.0
"""Of one run, on two texts."""
FURTHEST = 8.0
"""Margins are cut to ± this: beyond it a probability says no more."""
ORDER: tuple[Logit, ...] = ("neither", "support", "refute")
FEATURES = MARGINS
TYPES = {"tensor(int64)": "int64", "tensor(int32)": "int32"}
"""Of inputs: as the runtime calls them, and as numpy does."""
ALIKE = (
    ("The museum in Basel is closed on Mondays.", "Ten dogs ran along the beach in the rain."),
    ("She won the final against Norway.", "The recipe asks for two eggs and some flour."),
    ("Water boils at 100 degrees at sea level.", "The train to Lyon leaves from platform four."),
)
"""A sentence, and one that it says nothing of: it supports itself more than the other, by any encoder."""


class CrossEncoder:
    """Scores (claim, evidence) pairs, as the folder's `verifier.json` says.

    Args:
        folder: holds that file, the model and the tokenizer that it names.
        models: the folder of models converted on this machine, where its optimised form is kept; None: nothing is kept.
        beside: files in the folder that hold weights of the model.

    Raises:
        SettingsError: what the folder says of itself is not so; the message names the file.
    """

    def __init__(self, folder: Traversable, models: Path | None = None, beside: Sequence[Path] = ()) -> None:
        from gate.adapters import onnx

        told = self.told = read_description(folder)
        # By their paths: what is read into this process first is held once more, 30 MB of it.
        with _a_file(folder, told.tokenizer) as path:
            self._tokenizer = _tokenizer(path)
        with _a_file(folder, told.model) as path:
            try:
                self._session = onnx.opened(path, models, beside)
            except Exception:  # noqa: BLE001 - the runtime's errors have no class in common
                raise SettingsError(f"{told.model}: is no ONNX model that can be run") from None
        self._inputs = self._described_inputs()
        self._template = [part if part in SLOTS else self._ids(part) for part in _PARTS.split(told.template) if part]
        self._room = told.window.tokens - sum(len(part) for part in self._template if part not in SLOTS)
        # Threads of its own: more at once than there are cores is no faster, and each thread that ever ran it would
        # keep some 20 MB.
        self._pool = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="encoder")

    def margins(self, claim: str, evidence: str) -> tuple[float, float]:
        """Log odds that the evidence supports the claim, and that it refutes it, each against the rest.

        Raises:
            AnswerRefusedError: the model cannot be run on these texts, or gives no figures, or others than it should; a
                figure may be no number where a model of half precision overflows.
        """
        try:
            rows = self._logits(claim, evidence)
        except AnswerRefusedError:
            raise
        except Exception as error:  # noqa: BLE001 - as above
            raise AnswerRefusedError(f"the encoder could not be run on it ({type(error).__name__})") from None
        if list(map(len, rows)) != [len(self.told.logits)]:
            raise AnswerRefusedError("the encoder gave other figures than it is described to give")
        return margins(_numbers(rows[0]), self.told.logits)

    def tried(self) -> CrossEncoder:
        """Run it on sentences of which everybody knows what holds.

        Raises:
            SettingsError: it cannot be run, its figures are not those that are described, or mean something else.
        """
        told = self.told
        try:
            shape = [len(row) for row in self._logits(*ALIKE[0])]
        except AnswerRefusedError as error:
            raise SettingsError(f"{told.model}: {error.safe_message}") from None
        except Exception:  # noqa: BLE001 - as above
            raise SettingsError(f"{told.model}: cannot be run on inputs of shape (1, tokens)") from None
        if shape != [len(told.logits)]:
            found = f"{shape[0]} logits" if len(shape) == 1 else f"{len(shape)} rows of logits"
            raise SettingsError(f"{told.model}: gives {found} for a pair, and {FILE} names {len(told.logits)}")
        try:
            gains = [self.margins(one, one)[0] - self.margins(other, one)[0] for one, other in ALIKE]
        except AnswerRefusedError as error:
            raise SettingsError(f"{told.model}: {error.safe_message}") from None
        if not sum(gains) > 0:
            raise SettingsError(
                f"{FILE}: by this order of logits a sentence supports itself less than it supports another",
                hint="the order of id2label in the model's config.json",
            )
        return self

    def _described_inputs(self) -> dict[str, Any]:
        """The type of each input that is described; those of the model are these and no others."""
        told = self.told
        given = {one.name: one.type for one in self._session.get_inputs()}
        wanted = [name for name in told.inputs.model_dump().values() if name is not None]
        if set(given) != set(wanted):
            names = [", ".join(sorted(each)) for each in (given, wanted)]
            raise SettingsError(f"{told.model}: its inputs are {names[0]}, and {FILE} names {names[1]}")
        if told.output not in [one.name for one in self._session.get_outputs()]:
            raise SettingsError(f"{told.model}: has no output {told.output!r}")
        if unknown := [name for name, type_ in given.items() if type_ not in TYPES]:
            raise SettingsError(f"{told.model}: the input {unknown[0]!r} does not take whole numbers")
        return {name: TYPES[type_] for name, type_ in given.items()}

    def _logits(self, claim: str, evidence: str) -> list[list[float]]:
        import numpy as np

        ids, segments = self._encode(claim, evidence)
        named = self.told.inputs
        inputs = {named.ids: [ids], named.segments: [segments], named.attention: [[1] * len(ids)]}
        given = {name: np.array(inputs[name], dtype=type_) for name, type_ in self._inputs.items()}
        found = self._run(given)
        rows: list[list[float]] = found.reshape(found.shape[0], -1).tolist()
        return rows

    def _run(self, given: dict[str, Any]) -> Any:
        """Run the model in a thread of the pool; what it has not done in its time, counted from when it begins, it is
        told to leave: a `Loop` of a model of somebody else's making need not end."""
        from onnxruntime import RunOptions

        options, begun = RunOptions(), threading.Event()

        def run() -> Any:
            begun.set()
            return self._session.run([self.told.output], given, options)[0]

        future = self._pool.submit(run)
        begun.wait()
        try:
            return future.result(LONGEST_S)
        except TimeoutError:
            raise AnswerRefusedError(f"the encoder took longer than {LONGEST_S:g} s") from None
        finally:
            options.terminate = True  # heard between two steps of the model, in its loops too

    def _encode(self, claim: str, evidence: str) -> tuple[list[int], list[int]]:
        """The template with both texts in it, such as [CLS] claim [SEP] evidence [SEP], and of which of the two texts
        each token is: what stands between them is the first one's."""
        short = self._ids(claim)[: self.told.window.claim_tokens]
        texts = {SLOTS[0]: short, SLOTS[1]: self._ids(evidence)[: max(0, self._room - len(short))]}
        ids: list[int] = []
        segments: list[int] = []
        begun = 0
        for part in self._template:
            begun += part in SLOTS
            tokens = texts[part] if isinstance(part, str) else part
            ids += tokens
            segments += [int(begun > 1)] * len(tokens)
        return ids, segments

    def _ids(self, text: str) -> list[int]:
        found: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return found


_PARTS = re.compile("(" + "|".join(map(re.escape, SLOTS)) + ")")


@contextlib.contextmanager
def _a_file(folder: Traversable, name: str) -> Iterator[Path]:
    with resources.as_file(plain_file(folder, name)) as path:
        if path.stat().st_size > MAX_BYTES:
            raise SettingsError(f"{name}: larger than {MAX_BYTES} bytes")
        yield path


def weights_beside(folder: Path, model: str) -> list[Path]:
    """Files of a folder, and of those in it, that a model in it names: ONNX keeps weights of large models apart.

    Raises:
        SettingsError: there is no such model, the folder has far too many files, or one of those is too large.
    """
    with _a_file(folder, model) as path, path.open("rb") as file:
        if not path.stat().st_size:
            return []
        there = list(islice((one for one in folder.rglob("*") if one.is_file() and one != path), MOST_FILES + 1))
        if len(there) > MOST_FILES:
            raise SettingsError(f"the folder holds more than {MOST_FILES} files")
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            found = sorted(one for one in there if data.find(os.fsencode(one.name)) >= 0)
    if large := [one.name for one in found if one.stat().st_size > MAX_WEIGHTS]:
        raise SettingsError(f"{large[0]}: larger than {MAX_WEIGHTS} bytes")
    return found


def _tokenizer(path: Path) -> Any:
    from gate.adapters.onnx.tokenizer import tokenizer

    try:
        return tokenizer(path)
    except (OSError, ValueError):
        raise SettingsError(f"{path.name}: is no tokenizer") from None


def encoded(encoder: CrossEncoder, reading: Reading, words: int = WIDE_WORDS) -> tuple[float, ...]:
    """The margins of a claim beside every view, in the order of `FEATURES`; views that read the same are scored once.

    Args:
        words: of the evidence, in the wider view.
    """
    views = (reading.within(words), (reading.best,) if reading.best else ())
    texts = [" ".join(sentence.text for sentence in view) for view in views]
    scored = {text: encoder.margins(reading.claim, text) for text in dict.fromkeys(texts)}
    return tuple(margin for text in texts for margin in scored[text])


def _numbers(logits: list[float]) -> list[float]:
    if all(map(math.isfinite, logits)):
        return logits
    raise AnswerRefusedError("the encoder gave a figure that is no number")  # cut to ±8 it would be sure of support


def margins(logits: Sequence[float], order: Sequence[Logit] = ORDER) -> tuple[float, float]:
    """Log odds of support and of refutation from logits in an order; what no logit speaks for has none: 0."""
    return _against("support", logits, order), _against("refute", logits, order)


def _against(side: Logit, logits: Sequence[float], order: Sequence[Logit]) -> float:
    """Log odds of one against the others; a single logit is one by itself."""
    if side not in order:
        return 0.0
    place = order.index(side)
    rest = [logit for at, logit in enumerate(logits) if at != place]
    return _cut(logits[place] - _log_sum(rest)) if rest else _cut(logits[place])


def _log_sum(logits: Sequence[float]) -> float:
    high = max(logits)
    return high + math.log(sum(math.exp(one - high) for one in logits))


def _cut(margin: float) -> float:
    return max(-FURTHEST, min(FURTHEST, margin))


def missing() -> str:
    """Name what is lacking here, a package or the weights; empty when the encoder can run."""
    if not weights().joinpath("joined.json.gz").is_file():
        return "weights"
    return next((name for name in NEEDS if find_spec(name) is None), "")


def weights() -> Traversable:
    """The folder of weights that ships with the package."""
    return resources.files("gate.adapters.local_verifier").joinpath("weights")


@cache
def shipped_encoder(models: Path | None = None) -> CrossEncoder:
    """The encoder that ships with the package."""
    return CrossEncoder(weights(), models)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=shipped_encoder.cache_clear)  # its threads are the parent's
