"""Train the encoder on a GPU, in minutes: a teacher three times its size learns the labels, the encoder both.

    python -m training.distil build/gpu

The folder holds what `training.drawn` wrote (`held.npz` and any number of others), `start.safetensors` (the encoder to
begin with), and what `training.mpnet` wrote. Written to it: `encoder.pt` and `areas.json`, the areas under the curve on
the rows held out. Needs torch, numpy, onnx and safetensors alone. Both schedules go by the clock: 3 % of the time up,
then linear to 2 %.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from training import bert, bge, mpnet
from training.learning import SMOOTHING, STEP, losses, optimizer_of, smooth

HARD = 0.5
"""Share of the label in what the encoder learns from a labelled pair; the rest is the teacher's."""
SHARE = 0.4
"""Of the pairs, which the teacher marks: marking takes a third of the time of learning."""
BLOCK = 40
WARM_UP = 0.03


@dataclass
class Drawn:
    """Pairs on the device, as `training.drawn.save` describes them."""

    tokens: Tensor
    starts: Tensor
    sizes: Tensor
    claims: Tensor
    targets: Tensor
    weights: Tensor
    groups: Tensor
    sets: list[str]

    @classmethod
    def of(cls, paths: list[Path], device: str) -> Drawn:
        parts = [np.load(path) for path in paths]
        sizes = np.concatenate([part["sizes"] for part in parts]).astype(np.int64)
        groups, base = [], 0
        for part in parts:
            groups.append(part["groups"].astype(np.int64) + base)
            base += int(part["groups"].max()) + 1

        def joined(name: str) -> Tensor:
            return torch.from_numpy(np.concatenate([part[name] for part in parts]).astype(np.float32)).to(device)

        return cls(
            tokens=joined("tokens").long(),
            starts=torch.from_numpy(np.concatenate([[0], np.cumsum(sizes)[:-1]])).to(device),
            sizes=torch.from_numpy(sizes).to(device),
            claims=joined("claims").long(),
            targets=joined("targets"),
            weights=joined("weights"),
            groups=torch.from_numpy(np.concatenate(groups)).to(device),
            sets=[name for part in parts for name in np.array(json.loads(str(part["names"])))[part["sets"]].tolist()],
        )

    def rows(self, chosen: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Ids, segments and attention of some pairs, padded to a multiple of `STEP`."""
        sizes = self.sizes[chosen]
        length = -(-int(sizes.max()) // STEP) * STEP
        places = torch.arange(length, device=chosen.device)
        attention = places[None, :] < sizes[:, None]
        at = (self.starts[chosen][:, None] + places).clamp(max=len(self.tokens) - 1)
        ids = torch.where(attention, self.tokens[at], 0)
        segments = attention & (places[None, :] >= self.claims[chosen][:, None])
        return ids, segments.long(), attention.long()

    def batches(self, chosen: Tensor, size: int, chance: torch.Generator) -> Iterator[Tensor]:
        """Batches of like length for one round, twins side by side."""
        keys = torch.rand(int(self.groups.max()) + 1, generator=chance, device=chosen.device)
        order = chosen[torch.argsort(keys[self.groups[chosen]])]
        for block in order.split(size * BLOCK):
            batches = block[torch.argsort(self.sizes[block], stable=True)].split(size)
            for place in torch.randperm(len(batches), generator=chance, device=chosen.device).tolist():
                yield batches[place]


def fit(
    model: nn.Module,
    drawn: Drawn,
    wanted: Tensor,
    weights: Tensor,
    *,
    rate: float,
    decay: float,
    batch: int,
    seconds: float,
) -> dict[str, float]:
    """Train for so long on the pairs whose weight is not 0; `wanted` holds probabilities, NaN for "not supported".

    A target that is NaN is -log(1 - p_support).
    """
    device = drawn.tokens.device
    chance = torch.Generator(device=device).manual_seed(20261126)
    model.word.weight.requires_grad_(False)
    optimizer, rates = optimizer_of(model, rate, decay)
    chosen = torch.nonzero(weights > 0).flatten()
    open_ = wanted.isnan().any(1)
    known = wanted.nan_to_num(0.0)
    started, step, pairs, mean = time.time(), 0, 0, float("nan")
    model.train()
    while (gone := (time.time() - started) / seconds) < 1:
        for some in drawn.batches(chosen, batch, chance):
            if (gone := (time.time() - started) / seconds) >= 1:
                break
            factor = min(1.0, gone / WARM_UP, (step + 1) / 20) * max(0.02, 1 - gone)
            for group, top in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = top * factor
            with torch.autocast(device.type, torch.bfloat16):
                logits = model(*drawn.rows(some))
            value = (losses(logits.float(), known[some], open_[some]) * weights[some]).mean()
            optimizer.zero_grad(set_to_none=True)
            value.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            step += 1
            pairs += len(some)
            if step % 200 == 0:
                mean = float(value.detach())
                print(f"{step} {gone:.2f} loss {mean:.4f} {pairs / (time.time() - started):.0f} pairs/s", flush=True)
    return {"steps": step, "pairs": pairs, "seconds": round(time.time() - started, 1), "loss": mean}


def scored(model: nn.Module, drawn: Drawn, chosen: Tensor | None = None, batch: int = 512) -> Tensor:
    """Probabilities of neither, support and refute for every pair; with `chosen`, of those alone."""
    model.eval()
    found = torch.zeros(len(drawn.sizes), 3, device=drawn.tokens.device)
    chosen = torch.arange(len(drawn.sizes), device=drawn.tokens.device) if chosen is None else chosen
    with torch.no_grad(), torch.autocast(drawn.tokens.device.type, torch.bfloat16):
        for some in chosen[torch.argsort(drawn.sizes[chosen])].split(batch):
            found[some] = torch.softmax(model(*drawn.rows(some)).float(), dim=-1)
    return found


def mixture(labels: Tensor, labelled: Tensor, taught: Tensor, hard: float = HARD) -> Tensor:
    """Label and teacher in one; of a pair only known not to be supported, the teacher's word without support."""
    not_support = taught * torch.tensor([1.0, 0.0, 1.0], device=taught.device) + SMOOTHING / 3
    known = torch.where(labels.isnan(), not_support / not_support.sum(1, keepdim=True), labels)
    return torch.where(labelled[:, None], hard * known + (1 - hard) * taught, taught)


def areas(found: Tensor, held: Drawn) -> dict[str, float]:
    """Area under the curve of support in each set held out; of written ones also each mark against those stated."""
    support, refute = found[:, 1].cpu().numpy(), found[:, 2].cpu().numpy()
    true = (held.targets[:, 1] == 1).cpu().numpy()
    sets, labels = (np.array(column) for column in zip(*(one.split("/") for one in held.sets), strict=True))
    told = {str(name): area(support[sets == name], true[sets == name]) for name in sorted(set(sets))}
    own = sets == "written"
    for label in ("partially_supported", "neutral", "refutes"):
        some = own & (true | (labels == label))
        told[f"written: {label}"] = area(support[some], true[some])
    told["written: refuted against the rest"] = area(refute[own], labels[own] == "refutes")
    return told


def area(scores: np.ndarray, true: np.ndarray) -> float:
    """Area under the receiver operating characteristic, ties halved."""
    ordered = np.sort(scores)
    ranks = (np.searchsorted(ordered, scores, "left") + np.searchsorted(ordered, scores, "right") + 1) / 2
    hits = int(true.sum())
    if not 0 < hits < len(true):
        return float("nan")
    return round(float((ranks[true].sum() - hits * (hits + 1) / 2) / (hits * (len(true) - hits))), 4)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("folder", type=Path)
    options.add_argument("--teacher-seconds", type=float, default=200)
    options.add_argument("--seconds", type=float, default=290)
    options.add_argument("--device", default="cuda")
    given = options.parse_args()
    torch.manual_seed(20261126)
    torch.set_float32_matmul_precision("high")
    held = Drawn.of([given.folder / "held.npz"], given.device)
    drawn = Drawn.of(sorted(set(given.folder.glob("*.npz")) - {given.folder / "held.npz"}), given.device)
    told: dict[str, object] = {"pairs": len(drawn.sizes), "tokens": len(drawn.tokens)}
    labels = smooth(drawn.targets)

    teacher = mpnet.Teacher(torch.from_numpy(np.load(given.folder / "mpnet-words.npy")).long())
    teacher.load_state_dict(load_file(given.folder / "mpnet.safetensors"), strict=False)
    teacher.to(given.device)
    told["teacher fit"] = fit(
        teacher, drawn, labels, drawn.weights, rate=9e-5, decay=0.92, batch=96, seconds=given.teacher_seconds
    )
    told["teacher"] = areas(scored(teacher, held), held)
    some = torch.nonzero(torch.rand(len(drawn.sizes), device=given.device) < SHARE).flatten()
    taught = scored(teacher, drawn, some)

    model = bert.CrossEncoder(layers=bge.LAYERS)
    model.load_state_dict(load_file(given.folder / "start.safetensors"))
    model.to(given.device)
    told["start"] = areas(scored(model, held), held)
    weights = drawn.weights.clone()  # what is neither labelled nor marked has none
    weights[some] = torch.where(drawn.weights > 0, drawn.weights, 1.0)[some]
    wanted = labels.clone()
    wanted[some] = mixture(labels, drawn.weights > 0, taught)[some]
    told["encoder fit"] = fit(model, drawn, wanted, weights, rate=8e-4, decay=0.85, batch=256, seconds=given.seconds)
    told["encoder"] = areas(scored(model, held), held)
    (given.folder / "areas.json").write_text(json.dumps(told, indent=1) + "\n")
    print(json.dumps(told, indent=1))
    torch.save(model.state_dict(), given.folder / "encoder.pt")


if __name__ == "__main__":
    main()
