"""What modules and classes of Python hold, found by following a dotted path through a repository's files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gate.repository.manifest import Repository
from gate.repository.names.name_citations import NamedRepository
from gate.repository.names.python_modules import PythonModules
from gate.repository.names.python_scopes import module_scope
from tests.unit.test_names_in_repositories import missing, named

FILES = {
    "pyproject.toml": '[project]\nname = "tern"\n[project.entry-points."tern.plugins"]\nx = "tern:x"\n',
    "src/tern/__init__.py": """
from tern.flock import *
from .flock import (
    Flock,  # the class
    open_flock as open_it,
)
from . import nests
import os.path as path, sys
try:
    from _speed import fast
except ImportError:
    fast = None
if sys.platform == "win32":
    SEP, OTHER = ";", 1
else:
    SEP = ":"
limit: int
_cache: dict[str, int] = {}
""",
    "src/tern/flock.py": '''
"""
def not_a_function(): pass
"""
from __future__ import annotations
import abc
from dataclasses import dataclass
from elsewhere import Foreign, decorated

class Bird(abc.ABC):
    wings = 2
    def fly(self, height): self.height = height; self.log: list = []
    @property
    def nest(self) -> Nest: return self._nest
    def _hidden(self):
        def inner(): pass
        inner_value = 1

class Tern(Bird):
    def dive(self) -> "Tern": ...

@dataclass
class Nest(object):
    eggs: int = 0
    def hatch(self) -> Tern | None: ...

class Loud(Foreign): pass
class Any(Bird):
    def __getattr__(self, name): ...
class Put(Bird):
    def __init__(self, **more): self.__dict__.update(more)
class Set: pass
for each in ("a", "b"):
    setattr(Set, each, 1)
class Later: pass
Later.added = 1
@decorated
class Wrapped: pass
class Meta(metaclass=Foreign): pass
class Error(ValueError): pass
class Same:
    def a(self): pass
if True:
    class Same:
        def b(self): pass

def open_flock(path) -> Tern:
    global opened
    local = 1
    return Tern()
async def await_flock(): pass
''',
    "docs/a.md": "An Albatross is no tern.\n",
    "src/tern/nests.py": "def build(): pass\n",
    "src/tern/lazy.py": "def __getattr__(name): ...\n",
    "src/tern/dynamic.py": "globals()['x'] = 1\n",
    "src/tern/broken.py": "def f(:\n  (((\n",
    "src/tern/typed.pyi": "def stub() -> int: ...\n",
    "src/tern/typed.py": "def plain(): ...\n",
    "src/tern/sub/__init__.py": "from ..flock import Tern\nfrom .deep import *\n",
    "src/tern/sub/deep.py": "from ..sub import *\nvalue = 1\n",
}


@pytest.fixture(scope="module")
def tern(tmp_path_factory: pytest.TempPathFactory) -> NamedRepository:
    folder = tmp_path_factory.mktemp("tern")
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return named({"kind": "worktree", "path": str(folder)})


THERE = [
    "tern",
    "tern.Flock",
    "tern.open_it",
    "tern.nests",
    "tern.nests.build",
    "tern.path",
    "tern.sys",
    "tern.fast",
    "tern.SEP",
    "tern.OTHER",
    "tern.limit",
    "tern._cache",
    "tern.Bird",
    "tern.Tern",
    "tern.flock",
    "tern.flock.Tern.dive",
    "tern.flock.Tern.fly",
    "tern.flock.Tern.wings",
    "tern.flock.Tern.height",
    "tern.flock.Tern.log",
    "tern.flock.Nest.eggs",
    "tern.flock.opened",
    "tern.flock.await_flock",
    "tern.flock.Later.added",
    "tern.flock.Error.with_traceback",
    "tern.typed.stub",
    "tern.typed.plain",
    "tern.sub.Tern.dive",
    "tern.sub.deep.value",
    "tern.sub.value",
]
ABSENT = [
    "tern.Eagle",
    "tern.not_a_function",
    "tern.flock.not_a_function",
    "tern.flock.inner",
    "tern.flock.Tern.inner",
    "tern.flock.Tern.inner_value",
    "tern.flock.local",
    "tern.flock.Tern.soar",
    "tern.flock.Bird.dive",
    "tern.flock.Nest.fly",
    "tern.nests.demolish",
    "tern.sub.eagle",
    "tern.typed.other",
    "tern.flock.Error.add",
    "tern.flock.Later.removed",
    "tern.nothing.here.at",
]
UNKNOWN = [
    "tern.flock.Loud.shout",
    "tern.flock.Any.thing",
    "tern.flock.Put.thing",
    "tern.flock.Set.a",
    "tern.flock.Wrapped.x",
    "tern.flock.Meta.x",
    "tern.lazy.thing",
    "tern.dynamic.x",
    "tern.broken.f",
    "eagle.x",
    "tern.flock.Same.a",
    "tern.__version__",
    "tern.flock.Tern.__doc__",
    "tern.flock.Nest.eggs.real",
    "tern.flock.Tern.mro_of.it",
]


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        *((path, "there") for path in THERE),
        *((path, "absent") for path in ABSENT),
        *((path, "unknown") for path in UNKNOWN),
    ],
)
def test_a_dotted_path_leads_to_a_name_to_nothing_or_nobody_can_say(
    path: str, answer: str, tern: NamedRepository
) -> None:
    assert tern.python.look_up(path) == answer


@pytest.mark.parametrize(
    ("calls", "answer"),
    [
        ("tern.flock.Tern dive", "there"),
        ("tern.flock.Tern soar", "absent"),
        ("tern.open_it dive", "there"),
        ("tern.open_it soar", "absent"),
        ("tern.flock.Tern nest hatch", "there"),
        ("tern.flock.Tern nest build", "absent"),
        ("tern.flock.Tern nest hatch soar", "absent"),
        ("tern.flock.Tern dive dive soar", "absent"),
        ("tern.flock.Tern fly soar", "unknown"),
        ("tern.flock.await_flock soar", "unknown"),
        ("tern.flock.Loud shout", "unknown"),
        ("tern.nests soar", "unknown"),
        ("eagle.Eagle soar", "unknown"),
    ],
)
def test_what_a_call_gives_is_of_the_class_that_is_said(calls: str, answer: str, tern: NamedRepository) -> None:
    assert tern.python.member(calls.split())[0] == answer


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("```python\nfrom tern import Albatross\n```", [("tern.Albatross", "warn", None)]),
        ("Import `tern.flock.Eagle`.", [("tern.flock.Eagle", "block", None)]),
        ("```python\nfrom tern import Eagle\n```", [("tern.Eagle", "block", None)]),
        (
            "```python\nfrom tern.flock import Tern\nt = Tern()\nt.nest.build_it()\nt.dive().soar()\n```",
            [("tern.flock.Tern().nest().build_it", "block", None), ("tern.flock.Tern.dive().soar", "block", None)],
        ),
        (
            "```python\nfrom tern.flock import Bird\ndef f(bird: Bird, other):\n    bird.soar()\n    other.soar()\n```",
            [("tern.flock.Bird().soar", "warn", None)],
        ),
        (
            "```python\nfrom tern.flock import Nest\nclass Mine(Nest):\n    def f(self):\n        self.anything()\n```",
            [],
        ),
        (
            "```python\nfrom tern.flock import Tern\nclass Mine(Tern):\n    def f(self): self.nest.soar_up()\n```",
            [("tern.flock.Tern().nest().soar_up", "block", None)],
        ),
        ("```python\nfrom tern.flock import Tern\nt = Tern()\nt = other(t)\nt.soar()\n```", []),
        ("```python\nfrom tern.flock import Nest, Tern\nt = Tern()\ndef f(t: Nest):\n    t.soar()\n```", []),
        ("```python\nfrom tern.flock import Tern\ncall = Tern()\nx = call()\nx.soar()\n```", []),
        ("```python\nfrom tern.flock import Tern\nt = Tern()\n```\n\n```python\nt = t.other\nt.soar()\n```", []),
        ("Plugins register under `tern.plugins`; settings are in `tern.conf`, logs in `tern.log`.", []),
        ("To add a nest, call `tern::Eagle()`.", [("tern.Eagle", "block", None)]),
    ],
)
def test_an_answer_is_held_to_what_python_files_have(
    answer: str, found: list[tuple[str, str, str | None]], tern: NamedRepository
) -> None:
    assert missing(answer, tern) == found


ODD = {
    "pyproject.toml": '[project]\nname = "tern"\n',
    "tern/__init__.py": "import sys\n",
    "tern/roost.py": """
a = bee = 1
x = 1; FLAG = 2
import os; SEP = 1
[left, right] = 1, 2
if x == 1: pass
elif x == 2: branch = 1
else: other = 1
try: pass
finally: at_last = 1
lambda: 0; made = lambda one, two=(three := 3): one
first, (second, *third) = *rest, fourth = 1, (2, 3)
counts: dict[str, int] = {}; noted: int; use(spare)
counts[key] = 1
match x:
    case 1: caught = 1
class Slotted:
    __slots__ = ("wing", 'beak',)
    def __init__(this, wing): this.tail = 1; this.claw: int = 2
class Built:
    @classmethod
    def make(cls):
        one = cls(); one.crest = 1
        return one
class Base:
    def fly(self): pass
class Generic[T: (int, str), *Ts](Base): pass
class Plain[T]: pass
if x: pass
else:
    class Nested: pass
Nested.put.upon = Nested.added = 1
""",
    "tern/elsewhere.py": "import tern.roost\ntern.land_all = 1\ntern.roost.Built.land_one = 1\n",
}
ODD_THERE = (
    "bee FLAG SEP left right branch other at_last made first second third rest fourth counts noted caught "
    "Slotted.wing Slotted.beak Slotted.tail Slotted.claw Built.crest Generic.fly Nested.added"
)


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> NamedRepository:
    folder = tmp_path_factory.mktemp("odd")
    (folder / "tern").mkdir()
    for path, text in ODD.items():
        (folder / path).write_text(text)
    return named({"kind": "worktree", "path": str(folder)})


@pytest.mark.parametrize(
    "name", [*(f"tern.roost.{name}" for name in ODD_THERE.split()), "tern.land_all", "tern.roost.Built.land_one"]
)
def test_a_name_that_the_code_has_in_any_way_blocks_no_answer(name: str, odd: NamedRepository) -> None:
    assert [each for each in missing(f"Use `{name}` there.", odd) if each[1] == "block"] == []


@pytest.mark.parametrize("name", ODD_THERE.split())
def test_every_way_to_give_a_name_in_a_file_is_read(name: str, odd: NamedRepository) -> None:
    assert odd.python.look_up(f"tern.roost.{name}") == "there"


@pytest.mark.parametrize("name", ["spare", "key", "Base.wing", "Generic.T", "Plain.fly", "Nested.upon", "Slotted.fly"])
def test_what_is_only_read_in_a_file_is_no_name_of_it(name: str, odd: NamedRepository) -> None:
    assert odd.python.look_up(f"tern.roost.{name}") == "absent"


@pytest.mark.parametrize("line", ["__getattr__, __dir__, __all__ = attach(x)", "from x import __getattr__"])
def test_a_module_that_is_given_what_finds_its_names_may_have_any(line: str) -> None:
    scope = module_scope(line.encode(), "")
    assert scope is not None
    assert scope.is_open


@pytest.mark.parametrize(
    "text",
    [
        "async",
        "@)",
        "@x[)",
        "import a,,b",
        "from",
        "class",
        "def f",
        "class A[",
        ";",
        "= 1",
        "x =",
        "= =",
        ":=",
        "else: " * 9_000,
        "class A: " * 9_000,
        "a = " * 9_000,
    ],
)
def test_a_line_that_is_no_python_ends_nothing(text: str) -> None:
    odd_file = f"x = 1\n{text}\n".encode()
    contents = {"pkg/__init__.py": b"", "pkg/odd.py": odd_file}
    modules = PythonModules(
        Repository(tuple(contents), contents=lambda wanted: ((p, data) for p, data in contents.items() if wanted(p)))
    )
    assert modules.look_up("pkg.odd.x") in ("there", "unknown")


def test_long_chains_of_classes_and_imports_end_where_nobody_can_say() -> None:
    classes = "class C0: pass\n" + "".join(f"class C{n}(C{n - 1}): pass\n" for n in range(1, 2_000))
    imports = "".join(f"from .chain import i{n} as i{n + 1}\n" for n in range(2_000))
    contents = {"pkg/__init__.py": b"", "pkg/chain.py": (classes + imports).encode()}
    modules = PythonModules(
        Repository(tuple(contents), contents=lambda wanted: ((p, data) for p, data in contents.items() if wanted(p)))
    )
    assert [modules.look_up(f"pkg.chain.{name}") for name in ("C1999.x", "C40.x")] == ["unknown", "absent"]
    assert modules.look_up("pkg.chain.i2000") == "there"
    assert modules.look_up("pkg.chain.i2000.x") == "unknown"


def test_a_member_whose_word_the_code_has_elsewhere_is_a_warning(odd: NamedRepository) -> None:
    answer = "```python\nfrom tern.roost import {0}\nx = {0}()\nx.{1}()\n```"
    found = [missing(answer.format("Plain", name), odd) for name in ("land_one", "land_two")]
    assert found == [[("tern.roost.Plain().land_one", "warn", None)], [("tern.roost.Plain().land_two", "block", None)]]


def test_modules_are_read_when_they_are_asked_for_and_no_more_than_a_bound() -> None:
    read: list[str] = []

    def contents(wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes | None]]:
        for path in files:
            if wanted(path):
                read.append(path)
                yield path, b"x = 1\n"

    files = ("pkg/__init__.py", *(f"pkg/m{n}.py" for n in range(400)))
    modules = PythonModules(Repository(files, contents=contents))

    answers = [modules.look_up(f"pkg.m{n}.y") for n in range(400) for _ in range(2)]
    assert len(read) == 300
    assert (answers.count("absent"), answers.count("unknown")) == (600, 200)


def test_files_that_no_tokenizer_reads_say_nothing(tmp_path: Path) -> None:
    texts = {"a": "x = '\n", "b": "if x:\n    y\n  z\n", "c": "x = (" * 300, "d": "\0", "e": "x = 0777\n"}
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    repository = named({"kind": "worktree", "path": str(tmp_path)})
    assert {repository.python.look_up(f"{name}.y") for name in "abcd"} == {"unknown"}
    assert repository.python.look_up("e.y") == "absent"


def test_modules_and_classes_that_lead_to_each_other_end() -> None:
    stars = "".join(f"from .m{n} import *\n" for n in range(40))
    bases = "\n".join(f"class C{n}({', '.join(f'C{m}' for m in range(n))}): pass" for n in range(40))
    loop = "class A(B): pass\nclass B(A): pass\n"
    files = {"pkg/__init__.py": "", **{f"pkg/m{n}.py": f"{stars}{bases}\n{loop}" for n in range(40)}}

    def contents(wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes | None]]:
        yield from ((path, text.encode()) for path, text in files.items() if wanted(path))

    modules = PythonModules(Repository(tuple(files), contents=contents))
    assert [modules.look_up(path) for path in ("pkg.m0.x", "pkg.m0.C39.x", "pkg.m0.A.x")] == ["absent"] * 3
