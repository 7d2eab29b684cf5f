"""Path citations: what a mention says of the repository, and what follows when the path is not there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.repository.manifest import Repository
from gate.repository.mention_classes import TIERS, PathCitation
from gate.repository.path_citations import Layouts, citations

FILES = (
    "README.md",
    "LICENSE",
    "docs/guide.md",
    "docs/img/flow.png",
    "docs/setup/index.md",
    "src/gate/model.py",
    "src/gate/settings.py",
    "src/gate/repository/paths.py",
    "tools/run.py",
    "linked",
    "package/deep/only_here.py",
    "site/mkdocs.yml",
    "site/docs/page.md",
    "site/docs/other.md",
    "site/docs/intro-js.md",
)
REPOSITORY = Repository(
    FILES,
    links={"linked": "docs"},
    texts={".gitignore": "*.cfg\n/generated/\n"},
    submodules=("external/lib",),
    name="gate",
)


def cite(text: str, document: str = "README.md", *, answer: bool = False) -> PathCitation:
    [citation] = citations(document, text, REPOSITORY, answer=answer)
    return citation


@pytest.mark.parametrize(
    ("document", "target"),
    [
        ("README.md", "docs/guide.md"),
        ("README.md", "docs/guide.md#install"),
        ("README.md", "docs/guide"),
        ("README.md", "docs/guide.html"),
        ("README.md", "docs/setup/"),
        ("README.md", "./src/../tools/run.py"),
        ("README.md", "linked/guide.md"),
        ("docs/guide.md", "../README.md"),
        ("docs/guide.md", "/LICENSE"),
        ("docs/guide.md", "img/flow.png"),
        ("site/docs/page.md", "../other"),
        ("docs/guide.md", "@/guide.md"),
        ("docs/guide.md", "@/docs/guide.md#install"),
        ("README.md", "docs/guide%2Emd"),
    ],
)
def test_a_link_resolves_as_the_reader_or_the_site_would_follow_it(document: str, target: str) -> None:
    citation = cite(f"[x]({target})", document)

    assert (citation.kind, citation.found) == ("asserts", True)


@pytest.mark.parametrize(
    ("document", "target", "is_there"),
    [
        ("docs/tr/docs/deep/page.md", "/img/flow.png", True),
        ("docs/tr/docs/page.md", "other.md", True),
        ("docs/zh-hant/docs/page.md", "other.md", True),
        ("docs/tr/docs/page.md", "img/gone.png", False),
        ("docs/tr/docs/page.md", "gone.md", False),
        ("docs/guides/docs/page.md", "other.md", False),
        ("docs/en/docs/other.md", "lesson.rst", False),
        ("docs/en/docs/other.md", "/blog/feed.xml", True),
        ("docs/en/docs/other.md", "llms.txt", True),
        ("docs/en/docs/other.md", "notes.txt", False),
    ],
)
def test_what_a_site_has_in_the_first_language_or_makes_itself_is_not_missing(
    document: str, target: str, is_there: bool
) -> None:
    repository = Repository(
        (
            "docs/en/docs/img/flow.png",
            "docs/en/docs/other.md",
            "docs/en/docs/lesson.md",
            "docs/tr/docs/page.md",
            "docs/tr/docs/deep/page.md",
            "docs/zh-hant/docs/page.md",
            "docs/guides/docs/page.md",
        )
    )
    [cited] = citations(document, f"[x]({target})", repository)
    assert (cited.kind == "route") is is_there
    assert (cited.tier == "ignore") is is_there


@pytest.mark.parametrize(
    ("document", "head"), [("docs/guide.html", ""), ("src/gate/page.htm", ""), ("docs/saved.md", "\n<!DOCTYPE html>\n")]
)
def test_links_of_a_page_of_html_start_where_it_is_served(document: str, head: str) -> None:
    text = head + '<link href="../gone/a.css"><img src="./img/flow.jpg">'
    pages = list(citations(document, text, REPOSITORY))
    assert [(cited.kind, cited.found, cited.tier) for cited in pages] == [("route", False, "ignore")] * 2
    assert cite('<img src="img/flow.png">', "docs/guide.html").found
    assert cite('<img src="img/flow.jpg">', "docs/guide.md").tier == "block"
    assert cite("[x](docs/img/flow.jpg)", "answer.html", answer=True).tier == "block"


def test_links_of_a_document_that_is_reached_through_a_linked_folder_resolve_from_there_too() -> None:
    repository = Repository(("docs/a.md", "view", "notes.md"), links={"view": "docs"})

    [citation] = citations("docs/a.md", "[x](../notes.md)", repository)

    assert citation.found


@pytest.mark.parametrize(
    ("target", "kind"),
    [
        ("https://example.org/a.md", "url"),
        ("mailto:a@example.org", "url"),
        ("//example.org/x", "url"),
        ("www.example.org/a", "url"),
        ("#top", "url"),
        ("{{base}}/a.md", "template"),
        ("${DOCS}/a.md", "template"),
        ("docs/*.md", "glob"),
        ("path/to/file.md", "placeholder"),
        ("docs/....md", "placeholder"),
        ("|filename|/guide.md", "template"),
        ("@/guide/missing.md", "route"),
        ("@/../../guide.md", "route"),
        ("../../issues/12", "other_repository"),
        ("external/lib/readme.md", "other_repository"),
        ("made.cfg", "output"),
        ("generated/api.md", "output"),
    ],
)
def test_a_link_that_says_nothing_of_this_repository_is_told_by_its_kind(target: str, kind: str) -> None:
    assert cite(f"[x]({target})").kind == kind


@pytest.mark.parametrize(
    ("document", "text", "rule", "tier"),
    [
        ("README.md", "[x](docs/missing.md)", "link", "warn"),
        ("README.md", "[x](./tools/walk.py)", "link", "warn"),
        ("docs/guide.md", "![x](img/flaw.png)", "link_near", "block"),
        ("README.md", "[x](docs/giude.md)", "link_near", "block"),
        ("README.md", "[x](docs/only_here.py)", "link_moved", "warn"),
        ("docs/a/b/page.md", "[x](../../../elsewhere/missing.md)", "link_away", "ignore"),
        ("README.md", "[x](docs/run.md)", "link", "warn"),
        ("CHANGELOG.md", "[x](docs/missing.md)", "link_history", "warn"),
        ("guide/4_0_release_notes.md", "[x](missing.md)", "link_history", "warn"),
        ("docs/releases/5.2.md", "[x](missing.md)", "link_history", "warn"),
        ("release notes/v5.2.md", "[x](missing.md)", "link_history", "warn"),
        ("README.md", "[x](./src/gate/reports/)", "link_folder", "warn"),
        ("README.md", "[x](/docs/missing.md)", "link_root", "warn"),
        ("README.md", "[x](/missing.md)", "link_root", "warn"),
        ("README.md", "the models in `src/gate/modle.py`", "name_near", "warn"),
        ("README.md", "it is `src/gate/repository/fusion.py`", "name_beside", "warn"),
        ("README.md", "it is `other/deep/only_here.py`", "name_elsewhere", "ignore"),
        ("README.md", "it is `packages/deep/only_here.py`", "name_moved", "warn"),
        ("README.md", "create a file `packages/deep/only_here.py` of your own", "name_elsewhere_cue", "ignore"),
        ("src/gate/README.md", "`setings.py` holds them", "bare_beside", "warn"),
        ("README.md", "`unheard_of.py` holds them", "bare", "ignore"),
        ("README.md", "`nowhere/at/all.py` holds them", "name_elsewhere", "ignore"),
    ],
)
def test_an_absent_path_is_judged_by_its_class_of_mention(document: str, text: str, rule: str, tier: str) -> None:
    citation = cite(text, document)

    assert (citation.kind, citation.found, citation.rule, citation.tier) == ("asserts", False, rule, tier)


@pytest.mark.parametrize(
    ("document", "text", "kind"),
    [
        ("README.md", "save it to `build/report.html`", "output"),
        ("README.md", "weights go to `models/a.safetensors`", "output"),
        ("README.md", "`/etc/nginx/nginx.conf`", "system"),
        ("README.md", "`~/.config/gate.toml`", "system"),
        ("README.md", "`src/<name>/x.py`", "placeholder"),
        ("README.md", "`src/my_module/x.py`", "placeholder"),
        ("README.md", "`src/gate/YourModule/x.py`", "placeholder"),
        ("README.md", "`src/**/x.py`", "glob"),
        ("README.md", "`and/or`", "name"),
        ("README.md", "`application/json`", "name"),
        ("README.md", "`org/model-7b`", "name"),
        ("README.md", "- [ ] `src/gate/planned.py`", "to_be_created"),
        ("docs/design/store.md", "`src/gate/store.py`", "to_be_created"),
        ("CHANGELOG.md", "`src/gate/gone.py`", "deleted"),
        ("CHANGELOG.md", "`src/gate/models.py`", "deleted"),
        ("vendor/lib/README.md", "`src/gate/gone.py`", "other_repository"),
        ("tests/fixtures/a.md", "[x](missing.md)", "other_repository"),
        ("src/app/annotations/en/a.md", "[x](../missing.md)", "other_repository"),
        ("docs/swip/SWIP-11.md", "`src/gate/store.py`", "to_be_created"),
        ("docs/text/UTF-8.md", "`src/gate/repository/store.py`", "asserts"),
        ("RELEASE.md", "`src/gate/gone.py`", "deleted"),
        ("README.md", "`tools/run.py` (formerly `tools/gone.py`)", "deleted"),
        ("README.md", "This replaces the old `src/gate/modle.py`.", "deleted"),
    ],
)
def test_a_name_that_asserts_nothing_is_told_by_its_kind(document: str, text: str, kind: str) -> None:
    assert kind in [citation.kind for citation in citations(document, text, REPOSITORY) if not citation.found]


def test_what_was_is_missing_in_an_answer() -> None:
    assert cite("This replaces the old `src/gate/modle.py`.", answer=True).tier == "warn"


@pytest.mark.parametrize(("folder", "kind"), [("tests/roots/test-a", "other_repository"), ("guides/a", "asserts")])
def test_a_site_below_the_tests_is_data_of_a_test(folder: str, kind: str) -> None:
    repository = Repository((f"{folder}/conf.py", f"{folder}/index.rst"))

    [citation] = citations(f"{folder}/index.rst", ".. figure:: logo.jpg\n", repository)

    assert citation.kind == kind


@pytest.mark.parametrize(
    ("folder", "tier"),
    [
        ("starter/{{ cookiecutter.name }}/src", "ignore"),
        ("lib/install/templates/app", "ignore"),
        ("starter/packaged/src", "warn"),
    ],
)
def test_a_name_whose_like_is_in_a_mould_is_of_what_the_reader_makes(folder: str, tier: str) -> None:
    repository = Repository(("README.md", f"{folder}/flows/science/nodes.py"))

    [citation] = citations("README.md", "It is in `src/demo/flows/science/nodes.py`.", repository)

    assert (citation.found, citation.tier) == (False, tier)


@pytest.mark.parametrize(
    ("name", "kind"), [("src/science/nodes.py", "to_be_created"), ("src/science/edges.py", "asserts")]
)
def test_a_name_that_a_mould_gives_to_a_file_is_of_what_the_reader_makes(name: str, kind: str) -> None:
    repository = Repository(("README.md", "src/science/node.py", "src/science/edge.py", "starter/nodes.py.eex"))

    assert [cited.kind for cited in citations("README.md", f"It is in `{name}`.", repository)] == [kind]
    assert [cited.tier for cited in citations("", f"It is in `{name}`.", repository, answer=True)] == ["block"]


@pytest.mark.parametrize(
    ("document", "tier"), [("guides/start.md", "ignore"), ("handbook/start.md", "warn"), ("start.md", "warn")]
)
def test_a_guide_shows_files_of_its_readers_below_folders_that_every_project_has(document: str, tier: str) -> None:
    repository = Repository((document, "test/support/factory.ex"))

    [citation] = citations(document, "It is in `test/support/scopes.ex`.", repository)

    assert citation.tier == tier


def unjudged(documents: dict[str, str], *more: str) -> list[str | None]:
    """What is said of the layout of each absent path that documents cite."""
    repository = Repository((*documents, *more))
    cited = [(name, each) for name, text in documents.items() for each in citations(name, text, repository)]
    layouts = Layouts(cited, repository)
    return [layouts.unknown(name, each) for name, each in cited if not each.found]


def pages(count: int, links: str, *, each: int) -> dict[str, str]:
    """Pages of a site with so many links each, all different."""
    names = [links.format(number) for number in range(count * each)]
    return {
        f"docs/page-{page}.md": "\n".join(f"[x]({name})" for name in names[page * each : (page + 1) * each])
        for page in range(count)
    }


@pytest.mark.parametrize(
    ("links", "told"),
    [
        ("img/f{}.png", "links to images into docs/img"),
        ("/media/f{}.png", "links to images into docs/media"),
        ("../api/topic/t{}.md", "links to .md into api"),
        ("section-{}/start.ipynb", "links to .ipynb in docs"),
        ("./section-{}", "links to names without an ending into docs"),
    ],
)
def test_what_many_pages_cite_in_one_way_and_never_resolves_shows_an_unknown_layout(links: str, told: str) -> None:
    kept = ("docs/media/film.txt", "src/run.py")

    assert set(unjudged(pages(4, links, each=2), *kept)) == {told}
    assert set(unjudged(pages(7, links, each=1), *kept)) == {None}


def test_what_mostly_resolves_is_judged() -> None:
    images = [f"docs/img/f{number}.png" for number in range(20) if number % 5]

    assert set(unjudged(pages(4, "img/f{}.png", each=2), *images[2:])) == {None}


def test_links_of_one_page_are_judged_where_what_was_meant_is_near_them() -> None:
    kept = [f"configs/model-{number}/start.yml" for number in range(8)]
    text = "\n".join(f"[x](./{path})" for path in kept)

    assert unjudged({"docs/train.md": text}, *kept) == [None] * 8
    assert set(unjudged({"docs/train.md": text}, "LICENSE")) == {"links to .yml into docs/configs"}


@pytest.mark.parametrize(
    ("count", "more", "told"),
    [(8, "", "code to .py into src/gate"), (7, "", None), (8, "\n- `src/gate/model.py`", None)],
)
def test_a_page_that_names_many_files_of_a_folder_and_none_that_is_here_speaks_of_another_place(
    count: int, more: str, told: str | None
) -> None:
    text = "\n".join(f"- `src/gate/{name * 2}.py`" for name in "abcdefgh"[:count])

    assert set(unjudged({"README.md": text + more}, *FILES)) == {told}
    assert {cited.tier for cited in citations("README.md", text, REPOSITORY, answer=True)} == {"block"}


@pytest.mark.parametrize("path", ["tools/report.py", "tools/create.py"])
def test_a_name_beside_others_of_its_folder_that_are_here_is_missing(path: str) -> None:
    text = f"Create it with `{path}`."

    assert cite(text).tier == "ignore"
    assert [cited.rule for cited in citations("README.md", f"`tools/run.py`: see\n{text}", REPOSITORY)][1:] == [
        "name_listed"
    ]


def test_a_link_that_a_generator_left_without_a_name_is_no_path() -> None:
    assert cite("**spec** | [**object**](.md)").kind == "template"


def test_a_name_resolves_from_any_folder_that_ends_in_it() -> None:
    assert cite("see `gate/repository/paths.py`").found
    assert cite("see `repository/paths.py`", "docs/guide.md").found
    assert cite("see `gate/src/gate/model.py`").found
    assert cite("see `src/gate/model.py:12`").found


def test_words_that_say_a_file_is_made_take_the_force_out_of_a_name_with_nothing_near() -> None:
    assert cite("it is `package/report.py`").tier == "warn"
    assert cite("create `package/report.py` for your project").tier == "ignore"


def test_a_name_in_a_folder_that_every_project_has_is_no_finding_without_one_near_it() -> None:
    assert cite("it is `tools/report.py`").tier == "ignore"
    assert cite("it is `tools/rum.py`").tier == "warn"
    assert cite("it is `tools/report.py`", answer=True).tier == "block"


def test_a_page_that_a_script_of_its_name_makes_is_not_reported() -> None:
    repository = Repository(("docs/index.md", "docs/data_zoo.py"))

    [citation] = citations("docs/index.md", "[x](datazoo.md)", repository)

    assert (citation.rule, citation.tier) == ("link_made", "ignore")


def test_escaped_characters_of_a_link_are_read_as_markdown_means_them() -> None:
    repository = Repository(("docs/a.md", "docs/my_page.md"))

    [citation] = citations("docs/a.md", "[x](my\\_page.md)", repository)

    assert citation.found


def test_a_near_miss_comes_with_what_may_have_been_meant() -> None:
    assert cite("[x](docs/giude.md)").suggestion == "docs/guide.md"
    assert cite("[x](only_here.py)").suggestion == "package/deep/only_here.py"


COMMON = tuple(f"package/part{n}/api.py" for n in range(9))
"""A name that too many files have to say by itself which one was meant."""


@pytest.mark.parametrize("text", ["[x](old/part3/api.py)", "It is in `package/old/part3/api.py`."])
def test_below_a_folder_that_was_renamed_the_one_path_that_ends_alike_was_meant(text: str) -> None:
    [citation] = citations("README.md", text, Repository(("README.md", *COMMON)))

    assert citation.suggestion == "package/part3/api.py"


def test_of_two_files_of_one_name_the_one_that_ends_alike_was_meant() -> None:
    [citation] = citations("README.md", "[x](old/b/c.py)", Repository(("README.md", "old/a/x/c.py", "new/b/c.py")))

    assert citation.suggestion == "new/b/c.py"


@pytest.mark.parametrize(
    "more",
    [
        pytest.param(("other/part3/api.py",), id="two end alike"),
        pytest.param(tuple(f"x{n}/api.py" for n in range(2_000)), id="too many to look at"),
    ],
)
def test_where_it_is_not_clear_what_was_meant_nothing_is_suggested(more: tuple[str, ...]) -> None:
    [citation] = citations("README.md", "[x](old/part3/api.py)", Repository(("README.md", *COMMON, *more)))
    [alone] = citations("README.md", "[x](old/api.py)", Repository(("README.md", *COMMON)))

    assert (citation.suggestion, citation.tier) == (None, "warn")
    assert (alone.suggestion, alone.tier) == (None, "warn")


def test_a_link_from_the_root_of_another_site_is_told_by_its_first_folder() -> None:
    assert cite("![x](/pictures/v3/speed.png)").kind == "route"
    assert cite("![x](/pictures/v3/speed.png)", answer=True).tier == "block"


def test_a_route_of_a_site_is_not_looked_for_among_the_files() -> None:
    assert cite("[x](../api/reference)", "site/docs/page.md").tier == "ignore"


@pytest.mark.parametrize(
    ("document", "target", "kind"),
    [
        ("guides/source/start.md", "images/start/flow.png", "route"),
        ("guides/source/deep/start.md", "images/start/flow.png", "route"),
        ("guides/source/start.md", "images/start/flaw.png", "asserts"),
        ("guides/start.md", "images/start/flow.png", "asserts"),
        ("rails/MAIN.md", "files/model/README.rdoc", "route"),
        ("rails/MAIN.md", "files/modle/README.rdoc", "asserts"),
        ("app/pages/start.md", "deep.cheatmd", "route"),
        ("app/pages/start.md", "assets/tree.png", "route"),
        ("app/pages/start.md", "assets/deep/tree.png", "route"),
        ("app/pages/start.md", "assets/three.png", "asserts"),
        ("app/pages/start.md", "deap.cheatmd", "asserts"),
        ("pages/start.md", "deep.cheatmd", "asserts"),
    ],
)
def test_a_file_that_the_pages_maker_puts_beside_them_is_not_missing(document: str, target: str, kind: str) -> None:
    guides = ("guides/assets/images/start/flow.png", "model/README.rdoc")
    files = (document, *guides, "app/mix.exs", "app/sheets/deep.cheatmd", "app/images/tree.png")

    [citation] = citations(document, f"![x]({target})", Repository(files))

    assert (citation.kind, citation.found) == (kind, False)


@pytest.mark.parametrize(
    ("document", "target", "tier", "is_there"),
    [
        ("docs/guide.md", "/img/flow.png", "ignore", True),
        ("docs/guide.md", "/docs/flaw.png", "warn", False),
        ("docs/02-start.md", "../panels/pages", "ignore", False),
        ("docs/guide.md", "../panels/pages", "ignore", False),
        ("handbook/guide.md", "../panels/pages", "warn", False),
        ("site/content/v1/tour.md", "../img/dag.png", "ignore", True),
        ("site/content/v1/tour.md", "../img/dog.png", "warn", False),
        ("book/content/v1/tour.md", "../img/dag.png", "warn", False),
        ("tests/cases.d/a.md", "gone.png", "ignore", False),
        ("test/README.md", "gone.png", "warn", False),
    ],
)
def test_links_start_where_the_pages_of_a_site_are(document: str, target: str, tier: str, is_there: bool) -> None:
    hugo = ("site/archetypes/a.md", "site/content/v1/img/dag.png", "book/content/v1/img/dag.png")
    files = (document, "docs/01-install.md", "website/static/img/flow.png", *hugo)

    [citation] = citations(document, f"![x]({target})", Repository(files))

    assert (citation.tier, citation.found) == (tier, is_there)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Link an image:\n\n    ![x](gone.png)\n", 0),
        ("Link an image:\n\n\t![x](gone.png)\n\n    ![x](gone.png)\n", 0),
        ("Link an image\n    ![x](gone.png)\n", 1),
        ("- Link an image\n\n    ![x](gone.png)\n", 1),
        ("!!! note\n\n    ![x](gone.png)\n", 1),
        ("[^1]: Link an image\n\n    ![x](gone.png)\n", 1),
        ("<Tab>\n\n    ![x](gone.png)\n", 1),
    ],
)
def test_what_is_indented_behind_a_paragraph_is_code(text: str, count: int) -> None:
    assert len(list(citations("README.md", text, REPOSITORY))) == count
    assert len(list(citations("turn 1", text, REPOSITORY, answer=True))) == 1 or text.count("![") > 1


@pytest.mark.parametrize(
    ("document", "text", "rule"),
    [
        ("release_process.md", "Edit `src/gate/repository/fusion.py`.", "name_beside"),
        ("README.md", "It is `/src/gate/modle.py`.", "name_near"),
        ("README.md", "It is `/src/elsewhere/modle.py`.", ""),
        ("README.md", "Run `script/setup/instal-tools`.", "name_near"),
        ("README.md", "Run `script/setup/unheard`.", ""),
        ("README.md", "It is in `script/setup.d/v1.0-beta.1`.", ""),
    ],
)
def test_names_of_code_are_told_from_the_root_and_without_an_ending(document: str, text: str, rule: str) -> None:
    files = (*FILES, "script/setup/install-tools", "script/setup.d/v1.1/a.md")

    [citation] = citations(document, text, Repository(files))

    assert (citation.found, citation.rule) == (False, rule)


def test_a_page_that_is_kept_once_for_each_language_is_there() -> None:
    assert cite("[x](intro.md)", "site/docs/page.md").kind == "route"


@pytest.mark.parametrize(
    ("text", "tier"),
    [
        ("It is defined in `src/gate/engine.py`.", "block"),
        ("It is defined in src/gate/engine.py.", "block"),
        ("See `src/gate/modle.py`.", "block"),
        ("Look into `unheard_of.py`.", "warn"),
        ("Look into `nowhere/at/all.py`.", "warn"),
        ("Create `nowhere/at/all.py` first.", "ignore"),
        ("Create `src/gate/engine.py` first.", "ignore"),
        ("You could add a new file src/gate/modle.py for it.", "ignore"),
        ("Create a test. The engine is in `src/gate/engine.py`.", "block"),
        ("See [the docs](docs/missing.md).", "block"),
        ("See [the code](docs/only_here.py).", "block"),
    ],
)
def test_in_an_answer_about_the_repository_most_paths_assert(text: str, tier: str) -> None:
    assert cite(text, "turn 1", answer=True).tier == tier


def test_no_class_of_mention_in_code_may_block_a_document() -> None:
    assert {rule for rule, tier in TIERS.items() if tier == "block"} == {"link_near"}


target = st.text(alphabet="abé./\\%~#?{}*<>[] :-_\0\ud800", max_size=20)


@given(target, st.sampled_from(["README.md", "docs/guide.md", "site/docs/page.md", "vendor/x.md"]), st.booleans())
def test_no_target_breaks_the_rules_and_no_path_leaves_the_repository(target: str, document: str, answer: bool) -> None:
    for text in (f"[x]({target})", f"`{target}`", f"`src/{target}.py`"):
        for citation in citations(document, text, REPOSITORY, answer=answer):
            assert not citation.path.startswith(("/", "../"))
            assert citation.path != ".."
            assert citation.found or citation.tier in ("block", "warn", "ignore")
