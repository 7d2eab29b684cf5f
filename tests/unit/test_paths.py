"""Path rules: one spelling for what is inside, a reason for what is not."""

from __future__ import annotations

import os
from pathlib import PurePosixPath, PureWindowsPath

from hypothesis import given
from hypothesis import strategies as st

from gate.errors import InputError
from gate.repository.paths import normalise, printable

pieces = st.sampled_from(["..", ".", "a", "b.py", "~", "C:", "c:x", "", " ", "\0", "\udcff", "é", "file:", "…", "a b"])
separators = st.sampled_from(["/", "\\", "//"])
spelled = st.lists(st.tuples(pieces, separators), min_size=1, max_size=8).map(lambda p: "".join(x + y for x, y in p))
anything = st.one_of(spelled, st.text(max_size=30), spelled.map(lambda p: p.rstrip("/\\")))


def accepted(location: str) -> str | None:
    try:
        return normalise(location)
    except InputError:
        return None


@given(anything)
def test_nothing_outside_the_root_is_ever_accepted(location: str) -> None:
    path = accepted(location)
    if path is None:
        return

    root = "/somewhere/root"
    inside = os.path.normpath(f"{root}/{path}")
    assert inside == root or inside.startswith(root + "/")
    assert not PurePosixPath(path).is_absolute()
    assert not PureWindowsPath(path).drive
    assert not PureWindowsPath(path).root
    assert ".." not in PurePosixPath(path).parts
    assert "\\" not in path
    path.encode()


def test_dots_in_a_name_do_not_leave_the_repository() -> None:
    assert normalise("..config/..x/./a/../b.py") == "..config/..x/b.py"


@given(anything)
def test_a_normalised_path_is_its_own_normal_form(location: str) -> None:
    path = accepted(location)
    if path is not None:
        assert normalise(path) == path


@given(st.one_of(anything, st.none(), st.integers()))
def test_what_is_shown_of_a_location_is_short_and_valid(location: object) -> None:
    text = printable(location)

    text.encode()
    assert len(text) <= 720
