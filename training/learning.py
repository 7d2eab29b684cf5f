"""What the trainings on two cores and on a GPU share: how a batch counts, and how fast each layer learns."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

SMOOTHING = 0.05
STEP = 16
"""Of a batch's length: for each other one the runtime keeps memory of its own, 8 GB after 800 batches."""


def smooth(targets: Tensor) -> Tensor:
    """Probabilities of neither, support and refute, none of them quite sure."""
    return targets * (1 - SMOOTHING) + SMOOTHING / 3


def losses(logits: Tensor, wanted: Tensor, is_open: Tensor) -> Tensor:
    """Cross entropy of each row; of an open one, known only to be unsupported, -log(1 - p_support)."""
    logs = functional.log_softmax(logits, dim=-1)
    return torch.where(is_open, -torch.logsumexp(logs[:, [0, 2]], dim=-1), -(wanted * logs).sum(-1))


def optimizer_of(model: nn.Module, rate: float, decay: float) -> tuple[torch.optim.AdamW, list[float]]:
    """AdamW over what is not frozen, and the rate at the top of the schedule of each of its groups: lower by `decay` a
    layer towards the bottom."""
    groups: dict[int, list[nn.Parameter]] = {}
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            depth = len(model.layers) - int(name.split(".")[1]) if name.startswith("layers.") else 0
            if name.startswith(("position", "segment", "norm", "relative")):
                depth = len(model.layers) + 1
            groups.setdefault(depth, []).append(parameter)
    parts = [{"params": part} for part in groups.values()]
    return torch.optim.AdamW(parts, lr=rate, weight_decay=0.01, fused=True), [rate * decay**depth for depth in groups]
