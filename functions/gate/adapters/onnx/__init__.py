"""Opens the models that run here on onnxruntime, as the runtime itself would keep them: optimised, and mapped.

A model read from ONNX is parsed, optimised and copied at every start: 0.2 s of processor time and 40 MB for 23 MB of
weights. So the first start keeps the optimised form beside it, and later ones map that file.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from gate.adapters.onnx.int8_sums import sums_are_cut
from gate.cleanup import note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from onnxruntime import InferenceSession, SessionOptions

DIGEST = 16
"""Hexadecimal digits of a digest in a name."""
logger = logging.getLogger(__name__)


def opened(
    model: Path, folder: Path | None, beside: Sequence[Path] = (), unjoined: Sequence[str] = ()
) -> InferenceSession:
    """Open an ONNX model to run in this process, by one thread a run.

    Args:
        model: the `.onnx` file.
        folder: where its optimised form is kept, `<model>-<its digest>-<runtime>-<products>-<digest>.ort`; one that is
            damaged, or of another model, runtime or kind of products, is made anew. None, or where nothing can be
            written: the model itself is run.
        beside: files with weights of the model, which belong to it.
        unjoined: optimisations of the runtime that make this model slower, and are left out.
    """
    import onnxruntime

    if folder is None:
        return _session(model, _options(), unjoined)
    products = "u8u8" if sums_are_cut() else "u8s8"  # of which its weights are made
    stem = f"{model.stem}-{_digest(model, *beside)}-{onnxruntime.__version__}-{products}-"
    for kept in sorted(folder.glob(f"{stem}*.ort")):
        with contextlib.suppress(Exception):  # onnxruntime's errors have no class in common
            if kept.name == f"{stem}{_digest(kept)}.ort":
                return _session(kept, _mapped(), unjoined)
    return _made(model, folder, stem, unjoined)


def _made(model: Path, folder: Path, stem: str, unjoined: Sequence[str]) -> InferenceSession:
    """Open the model, and keep its optimised form if that is possible."""
    try:
        with _unfinished(folder) as file:
            options = _options()
            options.optimized_model_filepath = str(file)
            options.add_session_config_entry("session.save_model_format", "ORT")
            session = _session(model, options, unjoined)
            for old in folder.glob(f"{model.stem}-*.ort"):
                old.unlink(missing_ok=True)
            file.replace(folder / f"{stem}{_digest(file)}.ort")
            return session
    except Exception as error:  # noqa: BLE001 - as above; where the model itself is at fault, it is said next
        logger.info("the optimised form of %s is not kept: %s", model.name, error)
        return _session(model, _options(), unjoined)


@contextlib.contextmanager
def _unfinished(folder: Path) -> Iterator[Path]:
    """A file of its own in `folder`, gone afterwards if it was not renamed."""
    folder.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=folder, prefix=".unfinished-", suffix=".ort")
    os.close(handle)
    note(Path(name))
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _session(path: Path, options: SessionOptions, unjoined: Sequence[str]) -> InferenceSession:
    from onnxruntime import InferenceSession

    return InferenceSession(str(path), options, providers=["CPUExecutionProvider"], disabled_optimizers=list(unjoined))


def _options() -> SessionOptions:
    from onnxruntime import SessionOptions

    options = SessionOptions()
    # Texts run side by side: more threads in one of them spin, and are slower.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # an arena keeps the largest input's memory for good
    options.log_severity_level = 4  # a damaged form is said as an error, and made anew
    if sums_are_cut():  # else results differ from those of other machines
        options.add_session_config_entry("session.x64quantprecision", "1")
    return options


def _mapped() -> SessionOptions:
    options = _options()
    options.add_session_config_entry("session.use_memory_mapped_ort_model", "1")
    options.add_session_config_entry("session.use_ort_model_bytes_for_initializers", "1")
    return options


def _digest(path: Path, *beside: Path) -> str:
    """Of a file; with others, of all of them."""
    digests = []
    for each in (path, *beside):
        with each.open("rb") as file:
            digests.append(hashlib.file_digest(file, "sha256").hexdigest())
    return (hashlib.sha256("".join(digests).encode()).hexdigest() if beside else digests[0])[:DIGEST]
