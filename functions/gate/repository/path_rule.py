"""What makes a string a path, in a link or in code, before any repository is asked; and what it is if it is none."""

from __future__ import annotations

import re


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


SOURCE = words(
    "py pyi ipynb js jsx ts tsx mjs cjs mts cts vue svelte go rs c h cc cpp cxx hh hpp cu java kt kts scala rb php pl"
    " swift cs fs m mm sh bash zsh ps1 bat lua r jl ex exs erl hs ml sql proto graphql css scss less tcl zig dart"
    " gradle cmake bzl tf hcl nix"
)
DOCUMENT = words("md mdx rst adoc markdown txt html htm pdf")
IMAGE = words("png jpg jpeg gif svg webp ico mp4 drawio puml excalidraw")
CONFIGURATION = words("toml yaml yml json jsonnet libsonnet ini cfg conf xml mk j2 tmpl tpl service")
FILES = SOURCE | DOCUMENT | IMAGE | CONFIGURATION

_DOMAIN = re.compile(
    r"^(?:[\w-]+\.)+(?:com|org|net|io|dev|ai|app|edu|gov|co|uk|de|cn|eu|info|me|tv|fm|us|fr|jp|ru|xyz|cloud|gg)"
    r"(?::\d+)?(?:/|$)",
    re.IGNORECASE,
)
_SCHEME = re.compile(r"^(?:[a-zA-Z][a-zA-Z0-9+.-]*:|//|mailto)")
_TEMPLATE = re.compile(
    r"\{\{|\}\}|\{%|\$\{|\$\(|<%|\{[\w.,|!-]*\}|\|\w+\||\$[A-Za-z_]|%[sd(]|%[A-Z_]+%|\[\[|@@|__[a-z]+__/"
)
_GLOB = re.compile(r"[*?]|\[[^][]*\]")
_LINK_PLACEHOLDER = re.compile(
    r"[<>]|\.\.\.|…|^/?(?:path|link|links?-?here|url|todo|xxx|target|your|file|image|src|href)$|"
    r"\bpath[/_-]to\b|(?:^|[/_.-])(?:your|foo|bar|baz|xxx+\w*)(?=[/_.-]|$)",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    _LINK_PLACEHOLDER.pattern
    + r"|\bsome/|(?:^|[/_.-])(?:my|foobar|qux|dummy|xxx+\w*|yyy+|zzz+|1234|acme|placeholder|username|sample|example)"
    r"(?=[/_.-]|$)|(?:^|/)(?:xyz\w*|abc)\.|(?:^|/)(?-i:(?:New|Your)[A-Z])|(?:^|/)(?:PATH|NAME|FILE|DIR|XX+|YYYY|NNNN?)\b|\bx\.y\b",
    re.IGNORECASE,
)
CAPITALS = re.compile(r"(?:^|/)(?:[A-Z][A-Z_-]{3,}[\w-]*|Makefile|Dockerfile|Gemfile|Rakefile)$")
"""Files that have no ending: LICENSE, CONTRIBUTING, Makefile."""
_UPPER_SEGMENT = re.compile(r"(?:^|/)[A-Z][A-Z0-9]*_[A-Z0-9_]+(?=/|$)")
_SYSTEM = re.compile(
    r"^(?:/(?:etc|usr|var|tmp|opt|home|root|dev|proc|sys|mnt|bin|sbin|lib|run|srv|data|app|workspace|workdir)(?:/|$)|~|"
    r"\$HOME|[A-Za-z]:[\\/])"
)
OUTPUT = words(
    "build dist out output outputs target results result log logs cache .cache tmp temp node_modules venv .venv env"
    " checkpoints checkpoint ckpt ckpts runs wandb models weights data dataset datasets coverage artifacts artifact"
    " _build site public generated gen .git __pycache__ download downloads saved save logdir work_dirs pretrain"
    " output_dir pretrained work_dir inference_model output_inference .next .nuxt .output .terraform bin obj release"
    " vendor .tox .pytest_cache .mypy_cache .idea .vscode"
)
DATA = words(
    "csv tsv parquet pkl pickle npy npz h5 hdf5 pt pth ckpt onnx safetensors bin gguf zip tar gz tgz bz2 xz 7z jsonl"
    " arrow db sqlite log out lock o so a dll dylib exe whl egg jar war wav mp3 flac pid sock pem crt key cer map wasm"
    " tflite pb pdparams pdiparams pdmodel engine trt ndjson dat bak tmp"
)
CUES = re.compile(
    r"\b(?:creat\w*|add(?:s|ed|ing)? (?:a|an|the|it|this|your|new)|new (?:file|folder|directory)|e\.?g\.?|for example|"
    r"for instance|such as|like|generat\w+|writ(?:e|es|ten|ing)|sav(?:e|es|ed|ing)|outputs?|produc\w+|cop(?:y|ies|ied)|"
    r"remov\w+|delet\w+|replac\w+|renam\w+|mov(?:e|es|ed|ing)|no longer|deprecat\w+|was|were|used to|formerly|"
    r"previous\w*|there is no|"
    r"does not exist|doesn't exist|old|legacy|"
    r"your|you'd|if present|if it exists|download\w*|extract\w*|unzip\w*|put|place[ds]?|"
    r"install\w*|compil\w+|will be|would|could|might|may|imagine|suppose|assum\w+|hypothetical\w*|proposed|instead of|"
    r"samples?|fictional|scaffold\w*|bootstrap\w*|upload\w*|mount\w*|export\w*|emit\w*|cached?|stor(?:e|es|ed)|dump\w*)\b|"
    r"(?:创建|例如|生成|保存|下载|修改|输出)",
    re.IGNORECASE,
)
"""Words on the line that take the force out of a mention: what is made, moved, removed or only imagined."""

PAST = re.compile(
    r"\b(?:old|formerly|deprecat\w+|removed|previous\w*|no longer|used to|legacy|renamed)\b", re.IGNORECASE
)
"""Words that tell of what was: what a document says so of need not be here."""

CREATES = re.compile(
    r"\b(?:creat(?:e|es|ing)|add(?:ing)? (?:a|an|another|your|new)|new (?:file|module|folder|script)|"
    r"generat(?:e|es|ing)|"
    r"sav(?:e|es|ing)|writ(?:e|es|ing)|put|mov(?:e|es|ing)|renam(?:e|es|ing)|copy|scaffold)\b[^.;]*$",
    re.IGNORECASE,
)
"""Words before a path in an answer that ask the reader to make it."""
EXAMPLES = re.compile(r"\b(?:samples?|examples?|e\.g\.?|your|such as|like|creat\w*|add)\b", re.IGNORECASE)
"""Words on the line that make a path somebody else's."""


def extension(path: str) -> str:
    """The lower-case ending of the last part, without its dot; empty where there is none."""
    name = path.rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    return ending.lower() if dot and stem and ending.isalnum() else ""


def not_a_path(target: str, *, link: bool) -> str | None:
    """The kind of mention where the shape alone says it: `url`, `template`, `glob`, `placeholder`, `system`; or None.

    The target of a link is meant more literally than a name in running text: fewer words make it a placeholder.
    """
    for kind, pattern in _LINK_KINDS if link else _KINDS:
        if pattern.search(target):
            return kind
    return None


_LINK_KINDS = (("template", _TEMPLATE), ("url", _SCHEME), ("glob", _GLOB), ("placeholder", _LINK_PLACEHOLDER))
_KINDS = (
    ("template", _TEMPLATE),
    ("system", _SYSTEM),
    ("url", _SCHEME),
    ("glob", _GLOB),
    ("placeholder", _PLACEHOLDER),
    ("placeholder", _UPPER_SEGMENT),
)


def is_domain(target: str) -> bool:
    """Whether a target is a web address that forgot its scheme: `example.org/page`, not `readme.md`."""
    return bool(_DOMAIN.match(target)) and extension(target.partition("/")[0]) not in SOURCE | DOCUMENT
