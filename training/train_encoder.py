"""Fine-tune the cross-encoder. Run once per core, they share gradients over gloo on loopback:

    for rank in 0 1; do OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive python -m training.train_encoder \
        --rank $rank --world 2 --pairs 150000 --out build/encoder & done; wait

One schedule: 60 warm-up steps, then linear to 2 % over what is left of `--pairs`, or of the time to `--until HH:MM`
where that comes first. Every 100 steps and at the end the weights are written to `--out`.pt, and what a run needs to
go on to `--out`.state: a stopped run goes on from there with `--resume`. `--start FILE` begins with weights that were
trained before, safetensors of our own names.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import random
import time
from datetime import datetime
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from tokenizers import Tokenizer
from torch import Tensor, distributed
from torch.nn import functional

from training import bert, bge, data
from training.fit_idf import fit_idf
from training.learning import STEP, losses, optimizer_of, smooth
from training.pairs import Mixer, Pair

Drawn = tuple[Pair, list[int], list[int]]
"""A pair, its ids and its segments."""
SEED = 20261121
BATCH = 32
BLOCK = 30
MAX_TOKENS, MAX_CLAIM = 320, 96
DECAY, WARM_UP = 0.85, 60


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--rank", type=int, default=0)
    options.add_argument("--world", type=int, default=1)
    options.add_argument("--port", type=int, default=29517)
    options.add_argument("--pairs", type=int, default=150_000)
    options.add_argument("--until", default="", help="HH:MM: the schedule is shortened to end then")
    options.add_argument("--layers", type=int, default=bert.LAYERS, choices=(bert.LAYERS, bge.LAYERS))
    options.add_argument("--rate", type=float, default=3e-4, help="at the top; lower with --start")
    options.add_argument("--start", type=Path, help="weights to begin with; none: the pretrained ones")
    options.add_argument("--seed", type=int, default=SEED, help="another one for another part")
    options.add_argument(
        "--frozen", type=int, default=0, help="layers from below that stay as they are, and the embeddings with them"
    )
    options.add_argument(
        "--taught", type=float, default=0.0, help="share of what --start says in the target of a pair that is not new"
    )
    options.add_argument("--bf16", action="store_true", help="where the processor has it; else far slower")
    options.add_argument("--resume", action="store_true", help="go on from the last state of --out")
    options.add_argument("--out", type=Path, default=Path("build/encoder"))
    train(options.parse_args())


def train(given: argparse.Namespace) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(given.seed + given.rank)
    if given.world > 1:
        distributed.init_process_group(
            "gloo", init_method=f"tcp://127.0.0.1:{given.port}", rank=given.rank, world_size=given.world
        )
    rows, dropped = data.training((*data.TRAIN, *data.LONG, *data.OURS))
    seen, held = data.split(rows)
    data.check_clean(seen)
    model = bert.pretrained(given.layers)
    if given.start:
        model.load_state_dict(load_file(given.start), strict=False)
    _freeze(model, given.frozen)
    teacher = copy.deepcopy(model).eval() if given.taught else None
    optimizer, base_rates = optimizer_of(model, given.rate, DECAY)
    idf = fit_idf([row for row in rows if row.set in data.TRAIN])
    batches = _batches(Mixer(seen, idf, claim_only_weights(seen), given.seed), given.seed)
    log = _Log(given, {"dropped": dropped, "seen": len(seen), "held": len(held)})
    progress, step, total = 0.0, 0, given.pairs // BATCH
    if given.resume:
        step, progress = _resume(given.out, model, optimizer)
        next(islice(batches, step - 1, step))
    first, started = step, time.time()
    while progress < 1:
        batch = next(batches)[given.rank :: given.world]
        left = _steps_left(step, total, (step - first, started), given)
        progress = 1.0 if left < 1 else progress + (1 - progress) / left
        factor = min(1.0, (step + 1) / WARM_UP) * max(0.02, 1 - progress)
        for group, rate in zip(optimizer.param_groups, base_rates, strict=True):
            group["lr"] = rate * factor
        with torch.autocast("cpu", torch.bfloat16, enabled=given.bf16):
            ids, segments, attention = _tensors(batch)
            x = _below(model, ids, segments, attention, given.frozen)
            taught = _taught(teacher, (x, segments, attention), batch, given.frozen) if teacher else None
            logits = model.above(x, segments, attention, given.frozen)
        value = loss(logits.float(), batch, taught, given.taught)
        optimizer.zero_grad(set_to_none=True)
        value.backward()
        _share(model, given.world)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        step += 1
        log.step(step, float(value.detach()), progress, (step - first) * BATCH / (time.time() - started))
        if given.rank == 0 and (step % 100 == 0 or progress >= 1):
            _save(model, optimizer, step, progress, given.out)
    log.end(step, started)


def _resume(path: Path, model: bert.CrossEncoder, optimizer: torch.optim.AdamW) -> tuple[int, float]:
    """Load what `_save` wrote; return the step and the progress it was written at."""
    state = torch.load(path.with_suffix(".state"), weights_only=True)
    model.load_state_dict(torch.load(path.with_suffix(".pt"), weights_only=True))
    optimizer.load_state_dict(state["optimizer"])
    return state["step"], state["progress"]


def _freeze(model: bert.CrossEncoder, layers: int) -> None:
    """Keep word embeddings as they are, and with `layers` the other embeddings and as many layers from below."""
    model.word.weight.requires_grad_(False)
    still = ("position.", "segment.", "norm.", *(f"layers.{place}." for place in range(layers)))
    for name, parameter in model.named_parameters():
        if layers and name.startswith(still):
            parameter.requires_grad_(False)


def _steps_left(step: int, total: int, since: tuple[int, float], given: argparse.Namespace) -> float:
    """Steps until the end by count or by the clock, whichever is sooner; the same number on every rank."""
    left = float(total - step)
    done, started = since
    if given.until and done >= 20:
        now = datetime.now()
        hour, minute = map(int, given.until.split(":"))
        seconds = (now.replace(hour=hour, minute=minute, second=0) - now).total_seconds()
        left = min(left, seconds / ((time.time() - started) / done))
    if given.world > 1 and given.until:
        shared = torch.tensor([left], dtype=torch.float64)
        distributed.broadcast(shared, 0)
        left = float(shared[0])
    return left


def _below(model: bert.CrossEncoder, ids: Tensor, segments: Tensor, attention: Tensor, frozen: int) -> Tensor:
    """What the frozen layers give: without gradients, and without dropout, for there is nothing to learn."""
    if not frozen:
        return model.below(ids, segments, attention, 0)
    model.eval()
    with torch.no_grad():
        x = model.below(ids, segments, attention, frozen)
    model.train()
    return x


def _taught(
    teacher: bert.CrossEncoder, inputs: tuple[Tensor, Tensor, Tensor], batch: list[Drawn], frozen: int
) -> Tensor:
    """What the weights that the training began with say of the pairs that are not new; nought for the others."""
    old = torch.tensor([not pair.new for pair, _, _ in batch])
    found = torch.zeros(len(batch), len(bert.OUTCOMES))
    if old.any():
        with torch.no_grad():
            x, segments, attention = (each[old] for each in inputs)
            logits = teacher.above(x, segments, attention, frozen)
            found[old] = torch.softmax(logits.float(), dim=-1)
    return found


def loss(logits: Tensor, batch: list[Drawn], taught: Tensor | None = None, share: float = 0.0) -> Tensor:
    """Weighted cross entropy with smoothing; rows known only to be unsupported: -log(1 - p_support).

    Where `taught` is given, its `share` is added: cross entropy with the probabilities in its row, of which all are
    nought for a pair that the label alone teaches.
    """
    known = torch.tensor([pair.target or (0.0, 0.0, 0.0) for pair, _, _ in batch])
    is_open = torch.tensor([pair.target is None for pair, _, _ in batch])
    found = losses(logits, smooth(known), is_open)
    if taught is not None:
        shares = share * taught.sum(-1)
        found = (1 - shares) * found - share * (taught * functional.log_softmax(logits, dim=-1)).sum(-1)
    return (found * torch.tensor([pair.weight for pair, _, _ in batch])).mean()


def _share(model: torch.nn.Module, world: int) -> None:
    if world == 1:
        return
    grads = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
    flat = torch.cat([grad.flatten() for grad in grads])
    distributed.all_reduce(flat)
    flat /= world
    at = 0
    for grad in grads:
        grad.copy_(flat[at : at + grad.numel()].view_as(grad))
        at += grad.numel()


class Encoding:
    """Claim and evidence to ids and segments: [CLS] claim [SEP] evidence [SEP]."""

    def __init__(self) -> None:
        self.tokenizer = Tokenizer.from_file(str(bert.package_file("tokenizer.json")))
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()

    def __call__(
        self, claim: str, evidence: str, tokens: int = MAX_TOKENS, claim_tokens: int = MAX_CLAIM
    ) -> tuple[list[int], list[int]]:
        first = self.tokenizer.encode(claim, add_special_tokens=False).ids[:claim_tokens]
        second = self.tokenizer.encode(evidence, add_special_tokens=False).ids[: tokens - len(first) - 3]
        ids = [101, *first, 102, *second, 102]
        return ids, [0] * (len(first) + 2) + [1] * (len(second) + 1)


def _batches(mixer: Mixer, seed: int):  # type: ignore[no-untyped-def]
    """Batches of like length, shuffled inside blocks of `BLOCK` batches; the same on every rank."""
    encode, chance, source = Encoding(), random.Random(seed), iter(mixer)
    while True:
        block = [(pair, *encode(pair.claim, pair.evidence)) for pair in islice(source, BATCH * BLOCK)]
        block.sort(key=lambda item: len(item[1]))
        batches = [block[at : at + BATCH] for at in range(0, len(block), BATCH)]
        chance.shuffle(batches)
        yield from batches


def _tensors(batch: list[Drawn]) -> tuple[Tensor, Tensor, Tensor]:
    return tensors([(ids, segments) for _, ids, segments in batch])


def tensors(rows: list[tuple[list[int], list[int]]]) -> tuple[Tensor, Tensor, Tensor]:
    """Pad rows to one length, a multiple of `STEP`: ids, segments, attention."""
    length = -(-max(len(ids) for ids, _ in rows) // STEP) * STEP
    ids = torch.zeros(len(rows), length, dtype=torch.long)
    segments, attention = torch.zeros_like(ids), torch.zeros_like(ids)
    for place, (row, parts) in enumerate(rows):
        ids[place, : len(row)] = torch.tensor(row)
        segments[place, : len(row)] = torch.tensor(parts)
        attention[place, : len(row)] = 1
    return ids, segments, attention


def claim_only_weights(rows: list[data.Row]) -> dict[data.Row, float]:
    """Rows whose label the claim alone gives away count less (0.4 at the least, 1 in the mean)."""
    weights: dict[data.Row, float] = {}
    for name in ("fever-rte-dev", "fm2-dev", "snli-dev", "snli-test", "scifact-rte-train"):
        part = [row for row in rows if row.set == name]
        features = HashingVectorizer(n_features=2**16, ngram_range=(1, 2)).transform(row.claim for row in part)
        labels = np.array([row.label for row in part])
        chances = cross_val_predict(
            LogisticRegression(C=8, max_iter=300), features, labels, cv=4, method="predict_proba"
        )
        right = chances[np.arange(len(part)), np.searchsorted(np.unique(labels), labels)]
        unsure = 1 - right
        for row, value in zip(part, 0.4 + 0.6 * unsure / unsure.mean(), strict=True):
            weights[row] = float(min(value, 2.0))
    return weights


class _Log:
    def __init__(self, given: argparse.Namespace, facts: dict[str, object]) -> None:
        self.on = given.rank == 0
        self.path = given.out.with_suffix(".json")
        self.facts = {"seed": given.seed, "batch": BATCH, "rate": given.rate, "world": given.world, **facts}
        self.mean = math.nan
        given.out.parent.mkdir(parents=True, exist_ok=True)

    def step(self, step: int, value: float, progress: float, pace: float) -> None:
        self.mean = value if math.isnan(self.mean) else 0.98 * self.mean + 0.02 * value
        if self.on and step % 25 == 0:
            print(f"{step} {progress:.3f} loss {self.mean:.4f} {pace:.1f} pairs/s", flush=True)

    def end(self, step: int, started: float) -> None:
        self.facts |= {
            "steps": step,
            "pairs": step * BATCH,
            "wall_s": round(time.time() - started),
            "cpu_s_per_process": round(time.process_time()),
            "loss": round(self.mean, 4),
        }
        if self.on:
            self.path.write_text(json.dumps(self.facts, indent=1) + "\n")


def _save(model: bert.CrossEncoder, optimizer: torch.optim.AdamW, step: int, progress: float, path: Path) -> None:
    state = {"optimizer": optimizer.state_dict(), "step": step, "progress": progress}
    for suffix, value in (".pt", model.state_dict()), (".state", state):
        part = path.with_suffix(".part")
        torch.save(value, part)
        part.replace(path.with_suffix(suffix))


if __name__ == "__main__":
    main()
