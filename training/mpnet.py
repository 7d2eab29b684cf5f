"""MPNet as a cross-encoder in plain torch: the teacher, three times the encoder's size, which never ships.

It starts from the weights of all-mpnet-base-v2 (Apache-2.0). Its words are those of BERT under other numbers.

    python -m training.mpnet all-mpnet-base-v2 build/gpu    # from model.safetensors and vocab.txt

Writes `mpnet.safetensors` and `mpnet-words.npy`, which `training.distil` reads.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from training import bert

HIDDEN, HEADS, LAYERS, INNER = 768, 12, 12, 3072
BUCKETS, FARTHEST = 32, 128
PAD = 1
EPS = 1e-5


class Layer(nn.Module):
    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.qkv = nn.Linear(HIDDEN, 3 * HIDDEN)
        self.out = nn.Linear(HIDDEN, HIDDEN)
        self.norm1 = nn.LayerNorm(HIDDEN, eps=EPS)
        self.up = nn.Linear(HIDDEN, INNER)
        self.down = nn.Linear(INNER, HIDDEN)
        self.norm2 = nn.LayerNorm(HIDDEN, eps=EPS)
        self.drop = nn.Dropout(dropout)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        rows, length, _ = x.shape
        q, k, v = self.qkv(x).view(rows, length, 3, HEADS, HIDDEN // HEADS).permute(2, 0, 3, 1, 4)
        seen = functional.scaled_dot_product_attention(q, k, v, attn_mask=bias.to(q.dtype))
        x = self.norm1(x + self.drop(self.out(seen.transpose(1, 2).reshape(rows, length, HIDDEN))))
        return self.norm2(x + self.drop(self.down(functional.gelu(self.up(x)))))


class Teacher(nn.Module):
    """Ids of BERT, segments and attention of shape (rows, length) in; logits over neither, support, refute out.

    Args:
        words: for each of BERT's ids, MPNet's: `numbers`.
    """

    words: Tensor

    def __init__(self, words: Tensor, dropout: float = 0.1) -> None:
        super().__init__()
        self.register_buffer("words", words)
        self.word = nn.Embedding(30527, HIDDEN)
        self.position = nn.Embedding(514, HIDDEN)
        self.norm = nn.LayerNorm(HIDDEN, eps=EPS)
        self.relative = nn.Embedding(BUCKETS, HEADS)
        self.drop = nn.Dropout(dropout)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(LAYERS))
        self.dense = nn.Linear(2 * HIDDEN, HIDDEN)
        self.head = nn.Linear(HIDDEN, 3)

    def embedded(self, ids: Tensor, attention: Tensor) -> Tensor:
        """The last layer's vectors for MPNet's ids, (rows, length, 768)."""
        length = ids.shape[1]
        places = torch.arange(length, device=ids.device)
        x = self.drop(self.norm(self.word(ids) + self.position(places + PAD + 1)))
        bias = self.relative(buckets(places[None, :] - places[:, None])).permute(2, 0, 1)[None]
        bias = bias + (1.0 - attention.to(bias.dtype))[:, None, None, :] * -30000.0
        for layer in self.layers:
            x = layer(x, bias)
        return x

    def forward(self, ids: Tensor, segments: Tensor, attention: Tensor) -> Tensor:
        x = self.embedded(self.words[ids], attention)
        joined = bert.first_and_claim(x, segments, attention)
        return self.head(self.drop(torch.tanh(self.dense(self.drop(joined)))))


def buckets(apart: Tensor) -> Tensor:
    """The bucket of a distance, as T5 and MPNet count them: half for each side, near ones alone, far ones together."""
    half = BUCKETS // 2
    side = (apart > 0).long() * half
    far = apart.abs()
    exact = half // 2
    logs = exact + (torch.log(far.clamp(min=1) / exact) / math.log(FARTHEST / exact) * (half - exact)).long()
    return side + torch.where(far < exact, far, logs.clamp(max=half - 1))


def pretrained(path: Path) -> dict[str, Tensor]:
    """The weights under the names of `Teacher`, without its head."""
    given = load_file(path)
    new = {
        "word.weight": given["embeddings.word_embeddings.weight"],
        "position.weight": given["embeddings.position_embeddings.weight"],
        "norm.weight": given["embeddings.LayerNorm.weight"],
        "norm.bias": given["embeddings.LayerNorm.bias"],
        "relative.weight": given["encoder.relative_attention_bias.weight"],
    }
    names = {
        "out": "attention.attn.o",
        "norm1": "attention.LayerNorm",
        "up": "intermediate.dense",
        "down": "output.dense",
        "norm2": "output.LayerNorm",
    }
    return new | bert.renamed_layers(given, LAYERS, [f"attention.attn.{one}" for one in "qkv"], names)


def numbers(vocabulary: Path) -> np.ndarray:
    """For each of BERT's ids, MPNet's, from its `vocab.txt`: its marks of start, end and padding are its own."""
    ours = {word: place for place, word in enumerate(vocabulary.read_text(encoding="utf-8").splitlines())}
    theirs = json.loads(bert.package_file("tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    marks = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>"}
    return np.array([ours[marks.get(word, word)] for word in sorted(theirs, key=theirs.get)])


def main() -> None:
    given, folder = map(Path, sys.argv[1:])
    save_file(pretrained(given / "model.safetensors"), folder / "mpnet.safetensors")
    np.save(folder / "mpnet-words.npy", numbers(given / "vocab.txt"))


if __name__ == "__main__":
    main()
