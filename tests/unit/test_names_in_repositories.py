"""Names in code that documents and answers use, and a repository does not have: its commands, options, functions."""

from __future__ import annotations

import io
import subprocess
import tarfile
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from gate.adapters.repositories import open_repository
from gate.repository.document_place import place_for
from gate.repository.names.file_names import read_file_names
from gate.repository.names.lexicon import read_lexicon
from gate.repository.names.name_citations import NameCitation, NamedRepository, name_citations

FILES = {
    "pyproject.toml": '[project]\nname = "tern"\nscripts = {tern = "tern.cli:main"}\n',
    "Makefile": "all: build\n\nbuild:\n\tcc x.c\ncheck-links:\n\ttrue\n",
    "package.json": '{"name": "tern-web", "scripts": {"build-pages": "x"}}',
    "src/tern/__init__.py": "from tern.flock import Flock, open_flock\n",
    "src/tern/cli.py": """
import click, os
@click.group()
def main(): pass
@main.command()
@click.option("--lock-timeout", help="Seconds.")
def migrate(lock_timeout): os.environ.get("TERN_LOCK_TIMEOUT")
@main.command("list")
@click.option("--no-color/--color")
def list_(color): pass
@main.group()
def cache(): pass
@cache.command()
def clean(): pass
@cache.command()
def prune(): pass
""",
    "src/tern/flock.py": """
class Flock:
    def land(self, shore, *, wind=0): pass
    def take_off(self): pass

def open_flock(path, *, mode="r"): return Flock()
""",
    "src/tern/more_cache.py": "register('warm-up')\n",
    "docs/usage.md": "Run `tern cache clean` or `tern cache prune`, `tern migrate` and `tern list`.\n",
}


def a_repository(folder: Path, **more: str) -> NamedRepository:
    for path, text in {**FILES, **more}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return named({"kind": "worktree", "path": str(folder)})


def named(artifact: Mapping[str, object]) -> NamedRepository:
    repository = open_repository(artifact)
    lexicon = read_lexicon(repository)
    assert lexicon
    return NamedRepository(lexicon, repository)


@pytest.fixture(scope="module")
def tern(tmp_path_factory: pytest.TempPathFactory) -> NamedRepository:
    return a_repository(tmp_path_factory.mktemp("tern"))


def read(text: str, repository: NamedRepository, document: str = "") -> list[NameCitation]:
    place = place_for(document or "turn 0", repository.repository, answer=not document)
    return list(name_citations(text, place, repository))


def missing(text: str, repository: NamedRepository, document: str = "") -> list[tuple[str, str, str | None]]:
    return [
        (cited.mention.shown, cited.tier, cited.suggestion) for cited in read(text, repository, document) if cited.rule
    ]


def told(text: str, repository: NamedRepository, document: str) -> list[tuple[str, str, str | None]]:
    return [one for one in missing(text, repository, document) if one[1] != "ignore"]


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("Run `tern cache purge`.", ("tern cache purge", "block", None)),
        ("Run `tern migrat --lock-timeout 3`.", ("tern migrat", "block", "tern migrate")),
        ("```sh\ntern list --no-colour\n```", ("--no-colour", "block", "--no-color")),
        ("Set `TERN_CACHE_TIMEOUT`.", ("TERN_CACHE_TIMEOUT", "block", "TERN_LOCK_TIMEOUT")),
        ("```yaml\nenv:\n  TERN_CACHE_TIMEOUT: 3\n```", ("TERN_CACHE_TIMEOUT", "block", "TERN_LOCK_TIMEOUT")),
        ("Pass `--lock-timeouts`.", ("--lock-timeouts", "block", "--lock-timeout")),
        ("```python\nfrom tern import close_flock\n```", ("tern.close_flock", "block", None)),
        ("```python\nfrom tern.shoal import Fish\n```", ("tern.shoal", "block", None)),
        ("```python\nimport tern as t\nt.open_flocks('x')\n```", ("tern.open_flocks", "block", "open_flock")),
        ("Call `Flock.take_of()`.", ("Flock.take_of", "block", "take_off")),
        (
            "```python\nfrom tern import Flock\nf = Flock()\nf.take_offs()\n```",
            ("tern.Flock().take_offs", "block", "take_off"),
        ),
        ("```python\nfrom tern import open_flock\nopen_flock('x', modes='r')\n```", ("modes", "block", "mode")),
        ("Call `open_flocks()`.", ("open_flocks()", "block", "open_flock")),
        ("Call `migrate_everything_now()`.", ("migrate_everything_now()", "warn", None)),
        ("Run `make check-link`.", ("make check-link", "block", "make check-links")),
        ("Run `npm run build-page`.", ("npm run build-page", "warn", "npm run build-pages")),
        ("```python\nimport tern_extras\n```", ("tern_extras", "warn", None)),
        ("Pass --lock-timeouts to it.", ("--lock-timeouts", "block", "--lock-timeout")),
        ("On CI, set TERN_CACHE_TIMEOUT too.", ("TERN_CACHE_TIMEOUT", "block", "TERN_LOCK_TIMEOUT")),
        ("Then call open_flocks() once.", ("open_flocks()", "block", "open_flock")),
        ("Then call Flock.take_of(3) once.", ("Flock.take_of", "block", "take_off")),
        ("```sh\ntern list \\\n    --no-colour\n```", ("--no-colour", "block", "--no-color")),
        (
            "```js\nconst web = require('tern-web')\nweb.openFlocks()\n```",
            ("tern-web.openFlocks", "block", "open_flock"),
        ),
    ],
)
def test_an_invented_name_of_an_answer_is_found_with_what_was_meant(
    answer: str, found: tuple[str, str, str | None], tern: NamedRepository
) -> None:
    assert found in missing(answer, tern)


@pytest.mark.parametrize(
    "answer",
    [
        "Run `tern cache clean`, `tern cache prune`, then `tern migrate --lock-timeout 3`; `--no-color`, `--color`.",
        "Set `TERN_LOCK_TIMEOUT`, and `GITHUB_TOKEN` too.",
        "```python\nimport os, tern\nfrom tern.flock import Flock\nfrom rich import print_json\nprint_json('{}')\n"
        "f = tern.open_flock('x', mode='w')\nf.land('s', wind=3)\nos.path.join('a')\n```",
        "Call `Flock.land(shore)`, `open_flock()`, `str.removeprefix()`, `asyncio.create_task()`.",
        "```python\ndef my_own(): pass\nmy_own()\nclass Own: pass\nOwn.anything()\n```",
        "Run `make check-links`, `npm run build-pages`, `npm install --save-dev x`, `pip install --upgrade tern`.",
        "There is no `tern cache purge`, and `--lock-timeouts` does not exist.",
        "Create a function `tern_helper_for_it()` yourself.",
        "```sh\ngit commit --amend && docker run --rm tern\n```",
        "With git, pass --amend. The file(s) are read -- or not --as you like; see [it](https://x.example/a?--b=c()).",
        "Call land(shore), open_flock() or TERN_LOCK_TIMEOUT, not print_it_all of others; --no-color works.",
    ],
)
def test_what_is_here_or_not_ours_is_left_alone(answer: str, tern: NamedRepository) -> None:
    assert missing(answer, tern) == []


def test_documentation_is_believed_sooner_than_an_answer(tern: NamedRepository) -> None:
    told_of = "Run `tern migrat` or `make check-link`, pass `--lock-timeouts`."
    text = f"{told_of}\n\n```python\nfrom tern import open_flocks\n```"
    assert told(text, tern, "docs/guide.md") == [
        ("make check-link", "warn", "make check-links"),
        ("tern.open_flocks", "warn", "open_flock"),
    ]
    assert [tier for _, tier, _ in missing(text, tern)] == ["block"] * 4


@pytest.mark.parametrize(
    ("document", "line"),
    [
        ("CHANGELOG.md", "`tern migrat` works again."),
        ("docs/changes/1.5.md", "`tern migrat` works again."),
        ("docs/releases/1.5.md", "`tern migrat` works again."),
        ("guides/1_5_release_notes.md", "`tern migrat` works again."),
        ("docs/migration.md", "`tern migrat` works again."),
        ("tests/data/x.md", "`tern migrat` works again."),
        ("blog/2024-05-03-release.md", "`tern migrat` works again."),
        ("docs/guide.md", "`tern migrat` was removed."),
        ("docs/guide.md", "e.g. `tern my-thing`"),
    ],
)
def test_documents_that_tell_of_other_times_and_places_are_left_alone(
    document: str, line: str, tern: NamedRepository
) -> None:
    assert missing(line, tern, document) == []


def test_a_name_that_stands_in_the_document_alone_is_not_there_for_it(tmp_path: Path) -> None:
    repository = a_repository(tmp_path, **{"docs/new.md": "Run `tern list --shiny`.", "docs/other.md": "x"})

    assert [name for name, *_ in missing("Run `tern list --shiny`.", repository, "docs/new.md")] == ["--shiny"]
    assert missing("Run `tern list --shiny`.", repository, "docs/other.md") == []


def test_restructured_text_is_read_by_its_roles_and_blocks(tern: NamedRepository) -> None:
    text = (
        "See :meth:`Flock.take_of` and ``tern.flok``.\n\n.. code-block:: console\n\n   $ tern migrat\n\n"
        ".. code:: python\n\n   from tern import close_flock\n\nEnd. Example::\n\n   $ tern lst\n"
    )

    assert [(cited.mention.shown, cited.mention.line) for cited in read(text, tern, "docs/a.rst") if cited.rule] == [
        ("Flock.take_of", 1),
        ("tern.flok", 1),
        ("tern migrat", 5),
        ("tern.close_flock", 9),
        ("tern lst", 13),
    ]


def test_scripts_of_a_package_among_the_tests_are_run_there(tmp_path: Path) -> None:
    repository = a_repository(
        tmp_path, **{"test/page/package.json": '{"name": "of-tests", "scripts": {"build-page": "x"}}'}
    )

    assert told("Run `npm run build-page`.", repository, "test/page/README.md") == []
    assert "of-tests" not in repository.lexicon.declared.modules


def test_a_name_has_its_place(tern: NamedRepository) -> None:
    (cited,) = [cited for cited in read("One\n\n- run  `tern migrat`\n", tern) if cited.rule]
    assert (cited.mention.line, cited.mention.column) == (3, 14)


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        ("```python\nimport tern\ntern.sailing()\n```", "tern.sailing"),
        ("```python\nfrom tern import Sailing\n```", "tern.Sailing"),
        ("Set `TERN_SAILING_SPEED`.", "TERN_SAILING_SPEED"),
        ("Run `tern list --sailing`.", "--sailing"),
    ],
)
def test_a_word_of_a_comment_is_no_name_of_the_product_for_an_answer(answer: str, name: str, tmp_path: Path) -> None:
    comment = "# The terns are sailing.\n# sailing_speed\n"
    repository = a_repository(tmp_path, **{"src/tern/more.py": comment, "docs/b.md": "We are sailing.\n"})

    assert missing(answer, repository) == [(name, "warn", None)]
    assert told(answer, repository, "docs/b.md") == []


@pytest.mark.parametrize(
    "text",
    [
        "```\ntern is a program for flocks.\n```",
        "Pass `--lock-timeouts` through `NODE_OPTIONS`.",
        "It is what `--lock-timeouts` is to pip.",
        "```sh\necho ${TERN_CACHE_TIMEOUT:-3}\n```",
        "```python\nimport tern\ntern.open_flock('open_flocks')\ntern.open_flocks()\n```",
        "```sh\ntern subcommand\ntern on rprompt\n```",
        "```sh\ntern list --color  # tern application log\n```",
        "```sh\ntern cache warm-up\n```",
        "```sh\ntern mytask --lock-timeouts\n```",
        "```toml\n[tool.tern.scripts]\nsoar = 'echo'\n```\n\n```sh\n$ tern soar\n```",
    ],
)
def test_what_a_document_shows_of_sentences_other_programs_and_its_readers_commands_is_left_alone(
    text: str, tern: NamedRepository
) -> None:
    assert [one for one in missing(text, tern, "docs/own.md") if one[0] != "tern mytask"] == []


def test_what_stands_behind_a_program_without_subcommands_is_an_argument_in_documentation(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": '[project]\nname = "gull"\nscripts = {gull = "gull:main"}\n',
        **{f"docs/{n}.md": "".join(f"Run `gull x{word}`.\n" for word in range(6)) for n in range(2)},
        "gull.py": "# x0 x1 x2 x3 x4 x5\n",
    }
    repository = a_repository(tmp_path, **files, **{"src/tern/cli.py": "", "docs/usage.md": ""})
    assert missing("```sh\ngull my_database_7\n```", repository, "docs/a.md") == []


@pytest.mark.parametrize("setup", ["pyproject.toml", "setup.py"])
def test_a_module_in_a_single_file_is_the_repositorys(setup: str, tmp_path: Path) -> None:
    text = '[project]\nname = "gull"\n' if setup == "pyproject.toml" else "setup(name='gull', py_modules=['gull'])"
    repository = a_repository(tmp_path, **{setup: text, "gull.py": "def fly(): pass\n"})
    assert missing("```python\nimport gull\ngull.fly_high()\nfrom gull import Beak\n```", repository) == [
        ("gull.Beak", "block", None),
        ("gull.fly_high", "block", None),
    ]


def test_a_runner_of_recipes_shows_those_of_its_readers(tmp_path: Path) -> None:
    recipes = {"justfile": "check:\n\ttrue\n"}
    of_just = {**recipes, "Cargo.toml": '[package]\nname = "just"\n', "src/main.rs": "fn main() {}\n"}
    text = "```sh\njust chekc-it\n```"
    (tmp_path / "a").mkdir()
    assert missing(text, a_repository(tmp_path / "a", **recipes), "docs/a.md") == [("just chekc-it", "ignore", None)]
    assert missing(text, a_repository(tmp_path / "b", **of_just), "docs/a.md") == []


def test_a_word_that_the_code_quotes_is_not_said_to_be_an_option(tmp_path: Path) -> None:
    repository = a_repository(tmp_path, **{"src/tern/more.py": "KEYS = ['sailing']\n"})
    found = {cited.mention.name: cited.found for cited in read("Run `tern list --sailing --no-color`.", repository)}
    assert (found["sailing"], found["no-color"]) == (None, True)


def test_a_command_that_the_document_makes_itself_is_left_alone(tern: NamedRepository) -> None:
    text = "```\n@main.command('soar')\ndef it(): pass\n```\n\nRun `tern soar`, `tern help`.\n"
    assert missing(text, tern, "docs/own.md") == []
    assert [name for name, *_ in missing("Run `tern soar`.", tern, "docs/own.md")] == ["tern soar"]


def test_variables_that_the_code_puts_together_are_left_alone(tmp_path: Path) -> None:
    repository = a_repository(tmp_path, **{"src/tern/env.py": 'os.environ[f"TERN_INDEX_{name}_TOKEN"]\n'})
    assert missing("Set `TERN_INDEX_INTERNAL_TOKEN`.", repository) == []


def test_a_function_that_takes_any_parameter_is_left_alone(tmp_path: Path) -> None:
    repository = a_repository(tmp_path, **{"src/tern/more.py": "def open_flock(path, **kwargs): pass\n"})
    assert missing("Call `open_flock('x', modus='r')`.", repository) == []


def test_a_type_with_a_base_from_elsewhere_is_left_alone(tmp_path: Path) -> None:
    repository = a_repository(tmp_path, **{"src/tern/gull.py": "class Gull(torch.nn.Module):\n    pass\n"})
    assert missing("Call `Gull.state_dictionary()`.", repository) == []


@pytest.mark.parametrize(
    ("files", "command"),
    [
        (
            {
                "go.mod": "module example.org/gull\n",
                "cmd/gull/main.go": 'package main\nvar a = &cobra.Command{Use: "fly [to]", Aliases: []string{"f"}}\n'
                'var b = &cobra.Command{Use: "land"}\nvar c = &cobra.Command{\n  Use:   "rest",\n}\n',
            },
            "gull",
        ),
        (
            {
                "Cargo.toml": '[package]\nname = "gull"\n',
                "src/main.rs": "#[derive(Debug, Subcommand)]\nenum Commands {\n    /// Fly.\n"
                "    Fly(Args),\n    Land,\n"
                "    Rest {\n        long: bool,\n    },\n}\n",
            },
            "gull",
        ),
        (
            {
                "package.json": '{"name": "gull", "bin": {"gull": "cli.js"}}',
                "cli.js": "program.command('fly <to>')\nprogram.command('land')\nprogram.command('rest')\n",
            },
            "gull",
        ),
        (
            {
                "setup.py": "setup(entry_points={'console_scripts': ['gull = gull:main']})",
                "gull.py": "s.add_parser('fly')\ns.add_parser('land')\ns.add_parser('rest')\n",
            },
            "gull",
        ),
        (
            {
                "go.mod": "module example.org/gull\n",
                "cmd/gull/main.go": 'var a = &cobra.Command{\n  Use:               "fly [to]",\n'
                '  Use: "land"\n  Use: "rest"\n',
            },
            "gull",
        ),
        (
            {
                "Cargo.toml": '[package]\nname = "gull"\n',
                "src/main.rs": "#[derive(Debug, Parser)]\nenum Commands {\n  Fly(Args),\n  Land,\n  Rest,\n}\n",
            },
            "gull",
        ),
        (
            {
                "package.json": '{"name": "gull", "bin": {"gull": "cli.js"}}',
                "cli.js": "exports.command = 'fly <to>'\nyargs({ command: 'land' })\nyargs({command: 'rest'})\n",
            },
            "gull",
        ),
        (
            {
                "pyproject.toml": '[project]\nname = "gull"\nscripts = {gull = "gull:main"}\n'
                '[project.entry-points."gull.commands"]\nfly = "gull:fly"\nland = "gull:land"\nrest = "gull:rest"\n',
            },
            "gull",
        ),
        (
            {
                "pyproject.toml": '[project]\nname = "gull"\nscripts = {gull = "gull:main"}\n',
                **dict.fromkeys(("gull/commands/fly.py", "gull/commands/land.py", "gull/commands/rest.py"), "pass\n"),
                **dict.fromkeys(("a.md", "b.md"), "Run `gull fly`, `gull land` or `gull rest`.\n"),
            },
            "gull",
        ),
    ],
)
def test_subcommands_are_read_from_frameworks_manifests_and_folders(
    files: dict[str, str], command: str, tmp_path: Path
) -> None:
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    repository = named({"kind": "worktree", "path": str(tmp_path)})

    assert missing(f"`{command} fly`, `{command} land` and `{command} rest`", repository) == []
    assert [shown for shown, *_ in missing(f"`{command} swim`", repository)] == [f"{command} swim"]


MORE = {
    "src/tern/nest.py": """
class Egg(ValueError):
    def __init__(self, colour, size=1): pass
class Nest:
    def find_by(self): return self
""",
    "lib/tern.rb": "module Tern\n  class Beak\n  end\nend\n",
    "java/Tern.java": "package org.terns.core;\npublic class Tern {\n  public Tern flyOver(int sea) {\n  }\n}\n",
    "go.mod": "module example.org/tern/v2\n",
    "web.js": "web.sendNow = function sendNow (a) {}\nweb.sendLater = (a) => 1\nclass W {\n  async sendBoth(x) {\n  }\n"
    "}\n",
    "docs/web.md": "```js\nweb.sendNow(1)\nweb.sendLater(2)\nweb.sendBoth(3)\nother.sendNow(3)\n```\n",
}


@pytest.mark.parametrize(
    ("answer", "found", "honest"),
    [
        ("Make one with `Egg('white', sizes=2)`.", ("sizes", "block", "size"), "Make one with `Egg('white', size=2)`."),
        ("Call `Egg.hatch_early()`.", ("Egg.hatch_early", "block", None), "Call `Egg.with_traceback()`."),
        (
            "```python\nfrom tern.nest import Nest\nNest().find_by().find_byte()\n```",
            ("tern.nest.Nest().find_by().find_byte", "block", "find_by"),
            "```python\nfrom tern.nest import Nest\nNest().find_by().find_by()\nstr(1).strip().split_lines()\n```",
        ),
        ("It is a `Tern::LongBeak`.", ("Tern.LongBeak", "block", None), "It is a `Tern::Beak`, no `Net::OpenTimeout`."),
        (
            "```java\nimport org.terns.core.TernFlock;\n```",
            ("org.terns.core.TernFlock", "block", None),
            "```java\nimport org.terns.core.Tern;\nimport java.util.ArrayList;\n```",
        ),
        (
            '```go\nimport "example.org/tern/v2/nest"\n\nnest.OpenNest(1)\n```',
            ("example.org/tern/v2/nest.OpenNest", "block", None),
            '```go\nimport (\n\t"os"\n\t"golang.org/x/text/width"\n)\n\nwidth.NarrowAll(1)\n```',
        ),
        ("Answer with `web.sendNew(1)`.", ("web.sendNew", "block", "sendNow"), "Answer with `foo.sendNew(1)`."),
        ("The rule is `Wings/FlapSlowly`.", ("FlapSlowly", "warn", None), "The file is `Wings/flap`."),
    ],
)
def test_what_types_chains_and_other_languages_have_is_known(
    answer: str, found: tuple[str, str, str | None], honest: str, tmp_path: Path
) -> None:
    repository = a_repository(tmp_path, **MORE)
    assert found in missing(answer, repository)
    assert missing(honest, repository) == []


def test_a_variable_that_is_called_by_the_product_is_doubted_where_it_has_none(tmp_path: Path) -> None:
    repository = a_repository(tmp_path, **{"src/tern/cli.py": "", "docs/usage.md": "Set `TERNS`.\n"})
    assert missing("Set `TERN_HOME_PATH`, and `GIT_HOME_PATH`.", repository) == [("TERN_HOME_PATH", "warn", None)]
    assert told("Set `TERN_HOME_PATH`.", repository, "docs/a.md") == []


def test_a_word_of_the_code_that_is_written_as_no_option_is_doubted_where_options_are_written(tmp_path: Path) -> None:
    options = "".join(f"add_argument('--sail-{letter}')\n" for letter in "abcdefghijkl")
    repository = a_repository(tmp_path, **{"src/tern/more.py": f"{options}sailing = 1\nx = 'rowing'\n"})
    assert missing("Run `tern list --rowing --sailing`, or pass `--sailing`.", repository) == [
        ("--sailing", "warn", None)
    ]


def test_options_in_camel_case_are_options(tmp_path: Path) -> None:
    options = "".join(f"add_argument('--sail-{letter}')\n" for letter in "abcdefghijkl")
    repository = a_repository(tmp_path, **{"src/tern/more.py": f"{options}\nemptyOutDir = 1\nx('--emptyOutDir <x>')\n"})
    assert missing("Run `tern list --emptyOutDir`.", repository) == []


def test_a_commit_an_archive_and_a_folder_have_the_same_names(tmp_path: Path) -> None:
    folder = tmp_path / "tern"
    tree = a_repository(folder)
    packed, zipped = io.BytesIO(), io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive, zipfile.ZipFile(zipped, "w") as other:
        for path, text in FILES.items():
            info = tarfile.TarInfo(f"tern-1.0/{path}")
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
            other.writestr(f"tern-1.0/{path}", text)
    (tmp_path / "tern-1.0.tgz").write_bytes(packed.getvalue())
    (tmp_path / "tern-1.0.zip").write_bytes(zipped.getvalue())
    for words in ("init -q", "add .", "commit -qm x"):
        identity = ["-c", "user.name=a", "-c", "user.email=b"]
        subprocess.run(["git", *identity, *words.split()], cwd=folder, check=True)
    artifacts = [
        {"kind": "worktree", "path": str(folder), "commit": "HEAD"},
        {"kind": "archive", "path": str(tmp_path / "tern-1.0.tgz")},
        {"kind": "archive", "path": str(tmp_path / "tern-1.0.zip")},
    ]

    assert [named(artifact).lexicon for artifact in artifacts] == [tree.lexicon] * 3


def test_nothing_is_said_of_a_repository_whose_files_are_not_here() -> None:
    listing = {"kind": "listing", "files": ["README.md", "src/a.py"]}
    assert read_lexicon(open_repository(listing)) is None


def test_manifests_that_are_damaged_declare_nothing(tmp_path: Path) -> None:
    broken = {"package.json": "[[[[", "Cargo.toml": "[package", "pyproject.toml": "[project]\nscripts = 3"}
    repository = a_repository(tmp_path, **broken)
    assert repository.lexicon.declared.programs == set()


@pytest.mark.parametrize(("kind", "unit"), [("rs", b"derive(Parser) enum a {\n"), ("py", b"def a(\n")])
def test_definitions_that_never_end_take_seconds_a_megabyte(kind: str, unit: bytes) -> None:
    before = time.process_time()
    read_file_names(unit * (256_000 // len(unit)), kind, ["a"])
    assert time.process_time() - before < 3


def test_each_enumeration_of_clap_makes_its_own_subcommands() -> None:
    code = b"#[derive(Parser)]\nenum A {\n    One,\n    Two,\n}\n"
    code += b"#[derive(Subcommand)]\npub enum B {\n    AddAll,\n}\nenum C {\n    No,\n}\n"
    assert sorted(read_file_names(code, "rs", []).subcommands) == ["add-all", "one", "two"]
