"""Keys of a product's settings, and features of its packages: which of them an answer makes up."""

from __future__ import annotations

import pytest

from gate.repository.document_place import place_for
from gate.repository.names.name_citations import NamedRepository, name_citations
from gate.repository.names.settings.settings_keys import documented_keys, settings_keys
from tests.unit.test_names_in_repositories import named

FILES = {
    "pyproject.toml": '[project]\nname = "tern"\nscripts = {tern = "tern.cli:main"}\n'
    '[project.optional-dependencies]\nmaps = ["x"]\nweb = ["y"]\n',
    "crates/beak/Cargo.toml": '[package]\nname = "tern-beak"\n[features]\nsharp = []\n[dependencies]\n'
    'serde = { version = "1", optional = true }\nplume = { version = "1", optional = false }\n'
    "[build-dependencies]\ncloud-cover = { version = '1', optional = true }\n"
    "[target.'cfg(unix)'.dependencies]\nwind-vane = { version = '1', optional = true }\nodd = 3\n"
    "[target.'cfg(windows)'.build-dependencies]\nsun-dial = { version = '1', optional = true }\n"
    "[target.'cfg(any)'.dependencies.optional]\nversion = '1'\n",
    "src/tern/__init__.py": "",
    "src/tern/settings.py": """
# The file flock.toml is read from the folder of the user, nests.yml beside it; mkdocs.yml, flight.json are others'.
class Settings:
    wing_span: int; landing_speed: int; nest_site: str; sea_level: int; shore: str; rules: dict
class Rule:
    path_glob: str; max_depth: int; owner: str
class Extra:
    labels: dict; pair_of: dict
""",
    "docs/settings.md": """
In `tern.yml`:

```yaml
wing_span: 3
landing_speed: 4
nest_site: cliff
sea_level: 0
shore: north
rules:
  - path_glob: "*.fish"
    max_depth: 3
    owner: ann
labels:
  isle_of_may: 1
  farne_islands: 2
  skomer: 3
pair_of:
  shore: 1
```

```yaml
# nests.yml
noss: 1
fair_isle: 2
bempton: 3
```

```toml
[tool.tern]
wing_span = 3
shore = "x"
```
""",
}


@pytest.fixture(scope="module")
def tern(tmp_path_factory: pytest.TempPathFactory) -> NamedRepository:
    folder = tmp_path_factory.mktemp("tern")
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return named({"kind": "worktree", "path": str(folder)})


def missing(answer: str, repository: NamedRepository, document: str = "") -> list[tuple[str, str, str | None]]:
    place = place_for(document or "turn 0", repository.repository, answer=not document)
    cited = name_citations(answer, place, repository)
    return [(each.mention.shown, each.tier, each.suggestion) for each in cited if each.tier != "ignore"]


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("In `tern.yml`:\n\n```yaml\nwing_spam: 3\n```", ("wing_spam", "block", "wing_span")),
        ("```yaml\n# tern.yml\nsea_colour_at_night: 3\n```", ("sea_colour_at_night", "warn", None)),
        ("```yaml\n# .tern.yaml\nrules:\n  - glob_of_path: x\n```", ("rules.glob_of_path", "warn", "path_glob")),
        ("```toml\n[tool.tern]\nplumage = 3\n```", ("tool.tern.plumage", "warn", None)),
        ("```ini\n; flock.toml\n[tern]\nplumage = 3\n```", ("tern.plumage", "warn", None)),
        ('```json\n{"tool": {"tern": {"plumage": 3}}}\n```', ("tool.tern.plumage", "warn", None)),
        (
            "```js\n// tern.config.js\nexport default { shore: 'x', plumageKind: 'y' }\n```",
            ("plumageKind", "warn", None),
        ),
        ("Set `plumage: grey` in `flock.toml`.", ("plumage", "warn", None)),
        ("Under `[tool.tern]` add `plumage = 3`.", ("tool.tern.plumage", "warn", None)),
        ("The key `rules.plumage` of tern.yml says it.", ("rules.plumage", "warn", None)),
        ("Set plumage_kind to grey in tern.yml.", ("plumage_kind", "warn", None)),
        ("Set `plumage_kind: grey` in the configuration.", ("plumage_kind", "warn", None)),
        ("The `plumage_kind` setting says it.", ("plumage_kind", "warn", None)),
        ('```toml\n[dependencies]\ntern-beak = { version = "1", features = ["blunt"] }\n```', ("blunt", "block", None)),
        ('```toml\n[dependencies.tern-beak]\nversion = "1"\nfeatures = ["sharq"]\n```', ("sharq", "block", "sharp")),
        ("```sh\ncargo add tern-beak --features sharp,blunt\n```", ("blunt", "block", None)),
        ("Run `cargo add tern-beak --features plume`.", ("plume", "block", None)),
        ("Run `pip install 'tern[maps,charts]'`.", ("charts", "block", None)),
        ("Install `tern[charts]`.", ("charts", "block", None)),
        ("It needs the `blunt-tip` feature.", ("blunt-tip", "warn", None)),
        ("```yaml\n# tern.yml\ngulls_map:\n  rules:\n    - plumage: 3\n```", ("gulls_map", "warn", None)),
    ],
)
def test_a_key_or_feature_that_is_made_up_is_found(
    answer: str, found: tuple[str, str, str | None], tern: NamedRepository
) -> None:
    assert missing(answer, tern) == [found]


@pytest.mark.parametrize(
    "answer",
    [
        "In `tern.yml`:\n\n```yaml\nwing_span: 3\nrules:\n  - path_glob: x\n    max-depth: 3\n```",
        "In `tern.yml`:\n\n```yaml\nlabels:\n  bass_rock: 1\n```",
        "In `docker-compose.yml`:\n\n```yaml\nservices:\n  gull:\n    imagery: x\n```",
        "In `gull.yml`:\n\n```yaml\nplumage: 3\n```",
        "```yaml\nplumage_kind: 3\n```",
        "```yaml\n---\nplumage_kind: grey\n---\n```",
        "```yaml\n# tern.yml\nshore: |\n  plumage_kind: 3\nwing_span: 3\n```",
        "```toml\n[tool.gull]\nplumage = 3\n```",
        "```yaml\n# tern.yml\npair_of:\n  plumage: 3\n```",
        "```yaml\n# nests.yml\nbass_rock: 3\n```",
        "```yaml\n# tern.yml\nrules:\n  - plumage.js: 3\n```",
        "In `mkdocs.yml`:\n\n```yaml\nplumage: 3\n```",
        'In `flight.json`:\n\n```json\n{"plumage": 3}\n```',
        "Set `PlumageKind: grey` in the configuration.",
        "```yaml\nrules:\n  - plumage: 3\n```",
        "```js\n// tern.config.js\nexport default { shore: x ? plumage_kind : 3 }\n```",
        '```toml\n[tool.tern]\nshore = """\nplumage = 3\n"""\n```',
        "There is no `plumage: grey` in `tern.yml`.",
        "```js\nfunction it(a) { return a ? plumage : 3 }\n```",
        "See `fly_over_it` and tern.yml.",
        "With systemd, set `plumage_kind: 3` in the git configuration.",
        '```toml\n[dependencies]\ntern-beak = { version = "1", features = ["sharp", "serde", "default"] }\n'
        'gull = { version = "1", features = ["blunt"] }\n```',
        "Run `cargo add tern-beak --features cloud-cover,wind-vane,sun-dial`.",
        "Run `pip install 'tern[maps]' 'gull[charts]'`, then `cargo add gull --features blunt`.",
        "It needs the `sharp` feature.",
    ],
)
def test_keys_and_features_that_are_there_or_not_ours_are_left_alone(answer: str, tern: NamedRepository) -> None:
    assert missing(answer, tern) == []


def test_documents_are_not_asked_for_their_keys(tern: NamedRepository) -> None:
    assert missing("In `tern.yml`:\n\n```yaml\nwing_spam: 3\n```", tern, "docs/other.md") == []


@pytest.mark.parametrize(
    ("language", "text", "keys"),
    [
        ("yaml", "a:\n- b: 1\n  c:\n    d: 2\ne: >-\n  f: 3\n'g': {h: 1}\n", ["a", "a.b", "a.c", "a.c.d", "e", "g"]),
        ("toml", "x = 1\n[a.'b c']\nd.e = { f = 1, g = '{ h = 2' }\n", ["x", "a.b c.d", "a.b c.d.e"]),
        ("ini", "[a:b]\nc = 1\n  d = 2\ne: 3\n", ["a.b.c", "a.b.e"]),
        ("json", '{"a": [{"b": "c: d"}], // e: 1\n f: {"g": 1}, "h": "}"}', ["a", "a.b", "f", "f.g", "h"]),
        ("ts", "const a = {b: 1}\nexport default make({ c: { d: 1 } })", ["c", "c.d"]),
        ("python", "a = {'b': 1}", []),
    ],
)
def test_keys_are_read_with_what_they_stand_below(language: str, text: str, keys: list[str]) -> None:
    found = list(settings_keys(text, language))
    inner = [key for key in found if key.name in ("f", "g") and language == "toml"]
    assert [".".join((*key.above, key.name)) for key in found if key not in inner] == keys
    assert all(text[key.begin : key.begin + len(key.name)] == key.name for key in found)
    assert [(*key.above, key.name) for key in inner] == [
        ("a", "b c", "d", "e", name) for name in ("f", "g") if language == "toml"
    ]


def test_blocks_of_three_kinds_of_documents_are_read_with_the_file_that_is_named_before_them() -> None:
    text = (
        "In `a.yml`:\n\n```yaml\nb: 1\n```\n\n~~~toml\nc = 1\n~~~\n\n- x::\n\n  .. code-block:: ini\n\n     d = 1\n\n"
        "In `e.json`:\n\n[source,json]\n----\n{\"f\": 1}\n----\n\n```python\ng = {'h': 1}\n```\n"
    )
    assert sorted((file, key.name) for file, key in documented_keys(text)) == [
        ("", "c"),
        ("", "d"),
        ("a.yml", "b"),
        ("e.json", "f"),
    ]
