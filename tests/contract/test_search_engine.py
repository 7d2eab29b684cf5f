"""What every search engine does alike: the fake of the tests, the store on this machine, and a real OpenSearch.

Engines that only read what somebody else keeps take part in what needs no writing.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from gate.adapters.embedded import EmbeddedSearch
from gate.adapters.existing_corpora.existing_index import ExistingIndex
from gate.adapters.existing_corpora.knowledge_bases import UNNAMED, KnowledgeBases
from gate.adapters.opensearch import OpenSearchEngine
from gate.adapters.opensearch.opensearch_client import Endpoint, connect
from gate.errors import InputError, SettingsError
from gate.ports import SearchEngine, SearchFilter
from gate.retrieval.query_terms import LANGUAGES
from tests.contract.existing_corpora import FIELDS, make_index
from tests.fakes.search import MemorySearch
from tests.stubs.knowledge_base import serving

DIMENSION = 8
EMBEDDER = "axes/1"

PASSAGES = [
    {
        "id": "refunds",
        "title": "Refund policy",
        "section": "Deadlines",
        "content": "Customers can return running shoes within 30 days and get a refund of 3.5 percent.",
        "url": "https://example.com/refunds",
        "published_date": "2024-06-01",
        "source": "policy",
        "tenant": "acme",
        "classification": "public",
    },
    {
        "id": "shipping",
        "title": "Shipping",
        "content": "Parcels ship from the warehouse within two days.",
        "published_date": "2023-01-15T08:00:00Z",
        "source": "policy",
        "tenant": "acme",
        "classification": "internal",
    },
    {
        "id": "warranty",
        "title": "Warranty law",
        "content": "The warranty of shoes lasts 24 months.",
        "published_date": "2025",
        "source": "law",
        "tenant": "globex",
        "classification": "public",
    },
    {"id": "lunch", "content": "The café's crème brûlée is served at noon.", "source": "blog", "document": "menu.md"},
    {"id": "tokyo", "content": "東京大学は日本の首都にあります。", "source": "blog", "document": "menu.md"},
    {"id": "kyiv", "content": "Київ є столицею України.", "published_date": "not a date"},
]


def axes(count: int = len(PASSAGES)) -> np.ndarray:
    """One vector a passage, along its own axis and a little along the next."""
    rows = np.zeros((count, DIMENSION), dtype=np.float32)
    for at in range(count):
        rows[at, at % DIMENSION] = 1.0
        rows[at, (at + 1) % DIMENSION] = 0.3
    return rows


def ids(found: list[dict[str, Any]]) -> list[str]:
    """Which of the passages were found; in a knowledge base the document stands before a passage's own id."""
    return [each["id"].rpartition("#")[2] for each in found]


Made = tuple[SearchEngine, Callable[[str], None]]
"""An engine, and what fills a new index of it with the passages."""
KEPT = ("memory", "embedded", "opensearch")
RANKED = (*KEPT, "existing-index")
EVERY = (*RANKED, "knowledge-base")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every engine takes part in a test, or those that rank by words and vectors, or those that write."""
    if "kind" in metafunc.fixturenames:
        names = metafunc.fixturenames
        kinds = KEPT if "writer" in names else RANKED if "ranker" in names else EVERY
        on_a_node = pytest.mark.opensearch
        params = [
            pytest.param(kind, marks=on_a_node if kind in ("opensearch", "existing-index") else ()) for kind in kinds
        ]
        metafunc.parametrize("kind", params, scope="module")


def writing(engine: SearchEngine) -> Made:
    def fill(name: str) -> None:
        outcome = engine.index_documents(PASSAGES, name, vectors=axes(), embedder=EMBEDDER)
        assert (outcome.indexed, outcome.failed) == (len(PASSAGES), {})

    return engine, fill


@pytest.fixture(scope="module")
def made(kind: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    if kind == "memory":
        yield writing(MemorySearch())
    elif kind == "embedded":
        yield writing(EmbeddedSearch(tmp_path_factory.mktemp("indexes")))
    elif kind == "knowledge-base":
        with serving() as bases:
            yield KnowledgeBases(UNNAMED, region="us-east-1"), lambda name: bases.fill(name, PASSAGES)
    else:
        endpoint = Endpoint(request.getfixturevalue("opensearch_url"))
        if kind == "opensearch":
            yield writing(OpenSearchEngine(endpoint))
        else:
            client = connect(endpoint)
            yield ExistingIndex(endpoint, FIELDS), lambda name: make_index(client, name, PASSAGES, axes())


@pytest.fixture(scope="module")
def engine(made: Made) -> SearchEngine:
    return made[0]


@pytest.fixture(scope="module")
def ranker(engine: SearchEngine) -> SearchEngine:
    """An engine that ranks by words alone, and by vectors that it is given."""
    return engine


@pytest.fixture(scope="module")
def writer(engine: SearchEngine) -> SearchEngine:
    """An engine that keeps corpora."""
    return engine


@pytest.fixture
def index() -> str:
    """A name that nothing has yet."""
    return f"t{uuid.uuid4().hex[:9]}"


@pytest.fixture(scope="module")
def filled(made: Made) -> str:
    """An index with the passages, which no test changes."""
    name = f"t{uuid.uuid4().hex[:9]}"
    made[1](name)
    return name


@pytest.fixture
def fresh(writer: SearchEngine, made: Made, index: str) -> str:
    """An index with the passages, for a test that changes it."""
    made[1](index)
    return index


# -------------------------------------------------------------------- ranking


def test_the_passage_that_shares_the_most_telling_words_comes_first(ranker: SearchEngine, filled: str) -> None:
    found = ranker.search_docs("How many days to return shoes?", filled)
    assert ids(found)[0] == "refunds"
    assert [each["rank"] for each in found] == list(range(1, len(found) + 1))
    scores = [each["score"] for each in found]
    assert scores == sorted(scores, reverse=True)
    assert min(scores) > 0


def test_what_a_query_repeats_weighs_more(ranker: SearchEngine, filled: str) -> None:
    assert ids(ranker.search_docs("parcels shoes", filled))[0] == "shipping"
    assert ids(ranker.search_docs("parcels" + " shoes" * 16, filled))[0] != "shipping"
    once, four = (ranker.search_docs("shoes " * times, filled)[0]["score"] for times in (1, 4))
    assert four == pytest.approx(2 * once)


def test_a_result_carries_the_documented_fields_and_no_others(engine: SearchEngine, filled: str) -> None:
    first = engine.search_docs("refund", filled)[0]
    found = {**first, "id": ids([first])[0]}
    assert {key: found[key] for key in found if key != "score"} == {
        **{key: PASSAGES[0][key] for key in ("id", "title", "section", "content", "url", "published_date", "source")},
        "rank": 1,
        "retriever": "hybrid" if isinstance(engine, KnowledgeBases) else "keyword",
    }
    other = engine.search_docs("parcels", filled)[0]
    assert (other["section"], other["url"]) == (None, None)


def test_words_are_found_in_their_other_forms(ranker: SearchEngine, filled: str) -> None:
    assert ids(ranker.search_docs("returned a shoe", filled))[0] == "refunds"


def test_titles_and_sections_are_searched_too(ranker: SearchEngine, filled: str) -> None:
    assert ids(ranker.search_docs("deadlines", filled)) == ["refunds"]
    assert ids(ranker.search_docs("law", filled)) == ["warranty"]


def test_k_limits_the_results(engine: SearchEngine, filled: str) -> None:
    assert len(engine.search_docs("shoes days", filled, k=1)) == 1


def test_k_limits_the_nearest_passages(ranker: SearchEngine, filled: str) -> None:
    assert len(ranker.vector_search(axes()[0], filled, k=2)) == 2


def test_vectors_are_ranked_by_cosine(ranker: SearchEngine, filled: str) -> None:
    found = ranker.vector_search(5.0 * axes()[1], filled, k=3)
    assert ids(found)[:2] == ["shipping", "refunds"]
    assert found[0]["score"] == pytest.approx(1.0, abs=1e-3)
    assert found[1]["score"] == pytest.approx(0.3 / 1.09, abs=1e-3)
    assert found[0]["retriever"] == "vector"


def test_a_cosine_can_be_negative(writer: SearchEngine, index: str) -> None:
    writer.index_documents(PASSAGES[:1], index, vectors=axes(1), embedder=EMBEDDER)
    assert writer.vector_search(-axes(1)[0], index)[0]["score"] == pytest.approx(-1.0, abs=1e-3)


def test_hybrid_search_prefers_what_both_arms_find(ranker: SearchEngine, filled: str) -> None:
    found = ranker.hybrid_search("shoes", axes()[2], filled, k=3)
    assert ids(found)[0] == "warranty"
    assert {each["retriever"] for each in found} == {"hybrid"}
    assert found[0]["score"] == pytest.approx(2 / 61, rel=0.02)


def test_hybrid_search_without_a_vector_is_keyword_search(engine: SearchEngine, filled: str) -> None:
    assert ids(engine.hybrid_search("shoes", None, filled)) == ids(engine.search_docs("shoes", filled))


# -------------------------------------------------------------------- filters


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (SearchFilter(tenant="acme"), {"refunds", "shipping"}),
        (SearchFilter(tenant="nobody"), set()),
        (SearchFilter(sources=("law", "blog")), {"warranty", "lunch", "tokyo"}),
        (SearchFilter(classifications=("public",)), {"refunds", "warranty"}),
        (SearchFilter(published_from="2024-06-01"), {"refunds", "warranty"}),
        (SearchFilter(published_from="2024-06-02"), {"warranty"}),
        (SearchFilter(published_to="2023-01-15"), {"shipping"}),
        (SearchFilter(published_from="2023", published_to="2024"), {"refunds", "shipping"}),
        (SearchFilter(tenant="acme", classifications=("public",)), {"refunds"}),
    ],
)
def test_both_arms_return_only_what_the_filter_allows(
    engine: SearchEngine, filled: str, where: SearchFilter, expected: set[str]
) -> None:
    words = "shoes warranty refund parcels café 東京 Київ"
    assert set(ids(engine.search_docs(words, filled, k=10, where=where))) == expected
    nearest = set[str]() if isinstance(engine, KnowledgeBases) else expected
    assert set(ids(engine.vector_search(axes()[0], filled, k=10, where=where))) == nearest
    assert set(ids(engine.hybrid_search(words, axes()[0], filled, k=10, where=where))) == expected


def test_a_filter_does_not_change_scores(ranker: SearchEngine, filled: str) -> None:
    free = {each["id"]: each["score"] for each in ranker.search_docs("shoes", filled)}
    kept = ranker.search_docs("shoes", filled, where=SearchFilter(tenant="acme"))
    assert {each["id"]: each["score"] for each in kept} == {"refunds": pytest.approx(free["refunds"])}


# ---------------------------------------------------------- hostile and odd


def test_words_of_every_script_are_found(ranker: SearchEngine, filled: str) -> None:
    assert ids(ranker.search_docs("東京", filled)) == ["tokyo"]
    assert ids(ranker.search_docs("столицею", filled)) == ["kyiv"]


def test_unicode_is_found_and_comes_back_unchanged(engine: SearchEngine, filled: str) -> None:
    assert ids(engine.search_docs("cafe\u0301", filled))[0] == "lunch"
    assert engine.search_docs("café", filled)[0]["content"] == PASSAGES[3]["content"]


def test_a_query_of_only_stop_words_finds_nothing(ranker: SearchEngine, filled: str) -> None:
    assert ranker.search_docs("of the and to be", filled) == []


@pytest.mark.parametrize("query", ["", "   ", "?!…", "\x00", "🙂"])
def test_a_query_without_words_finds_nothing(engine: SearchEngine, filled: str, query: str) -> None:
    assert engine.search_docs(query, filled) == []


@pytest.mark.parametrize(
    "query",
    [
        'title:"Warranty law" OR *',
        "content:/.*/ AND NOT tenant:acme",
        "tenant:globex",
        "+warranty -shoes ~2 ^9",
        '{"match_all": {}}',
        "warranty) OR (1=1",
        "[2020 TO 2030}",
        "\\",
        '"unbalanced',
    ],
)
def test_query_syntax_is_words_and_nothing_else(ranker: SearchEngine, filled: str, query: str) -> None:
    found = ranker.search_docs(query, filled, k=10, where=SearchFilter(tenant="acme"))
    assert set(ids(found)) <= {"refunds", "shipping"}
    assert "lunch" not in ids(ranker.search_docs(query, filled, k=10))


@pytest.mark.parametrize("filler", ["lorem{n} ", "{n} ", "漢字検索試験{n}", "a.b.c-d/e_f'g{n};"])
def test_a_query_of_ten_thousand_characters_is_answered(ranker: SearchEngine, filled: str, filler: str) -> None:
    query = ("warranty " + "".join(filler.format(n=n) for n in range(4_000)))[:10_000]
    assert ids(ranker.search_docs(query, filled, k=1)) == ["warranty"]


def test_an_empty_index_has_no_results(writer: SearchEngine, index: str) -> None:
    writer.ensure_index(index, embedder=EMBEDDER, dimension=DIMENSION)
    assert writer.exists(index)
    assert writer.count(index) == 0
    assert writer.search_docs("anything", index) == []
    assert writer.vector_search(axes()[0], index) == []
    assert writer.hybrid_search("anything", axes()[0], index) == []


def test_making_an_index_twice_keeps_what_it_holds(writer: SearchEngine, filled: str) -> None:
    writer.ensure_index(filled, embedder=EMBEDDER, dimension=DIMENSION)
    assert writer.count(filled) == len(PASSAGES)


def test_an_unknown_index_is_named(engine: SearchEngine, index: str) -> None:
    assert not engine.exists(index)
    for ask in (
        lambda: engine.search_docs("x", index),
        lambda: engine.vector_search(axes()[0], index),
        lambda: engine.hybrid_search("x", axes()[0], index),
        lambda: engine.count(index),
        lambda: engine.describe(index),
    ):
        with pytest.raises(SettingsError, match=index):
            ask()


def test_nothing_is_deleted_of_an_unknown_index(writer: SearchEngine, index: str) -> None:
    with pytest.raises(SettingsError, match=index):
        writer.delete_documents(["x"], index)


def test_a_name_that_cannot_be_an_index_is_refused(engine: SearchEngine) -> None:
    for name in ("../other", "_all", "*", "Upper", "a,b", ""):
        with pytest.raises(InputError):
            engine.search_docs("x", name)


def test_a_vector_of_another_dimension_is_refused(ranker: SearchEngine, filled: str) -> None:
    with pytest.raises(InputError, match="8 numbers, not 3"):
        ranker.vector_search([1.0, 2.0, 3.0], filled)


def test_vectors_of_another_dimension_are_not_stored(writer: SearchEngine, filled: str) -> None:
    with pytest.raises(InputError, match="8 numbers, not 3"):
        writer.index_documents([{"content": "x"}], filled, vectors=np.ones((1, 3), dtype=np.float32))
    with pytest.raises(InputError, match="give them"):
        writer.index_documents([{"content": "x"}], filled)
    assert writer.count(filled) == len(PASSAGES)


def test_a_vector_without_direction_is_refused(engine: SearchEngine, filled: str) -> None:
    for vector in ([0.0] * DIMENSION, [float("nan")] * DIMENSION):
        with pytest.raises(InputError, match="direction"):
            engine.vector_search(vector, filled)


def test_an_index_without_vectors_has_no_nearest_passage(writer: SearchEngine, index: str) -> None:
    writer.index_documents(PASSAGES, index)
    assert writer.vector_search(axes()[0], index) == []
    assert writer.embedder_of(index) is None
    assert ids(writer.hybrid_search("warranty", axes()[0], index))[0] == "warranty"


# -------------------------------------------------------------------- writing


def test_documents_that_cannot_be_stored_are_named_and_the_rest_is_kept(writer: SearchEngine, index: str) -> None:
    vectors = axes(6)
    vectors[3] = 0.0
    documents: list[dict[str, Any]] = [
        {"id": "good", "content": "fine text"},
        {"id": "empty", "content": "  "},
        {"id": "x" * 600, "content": "too long an id"},
        {"id": "flat", "content": "no direction"},
        {"content": 7},
        {"id": "also good", "content": "more fine text"},
    ]
    outcome = writer.index_documents(documents, index, vectors=vectors, embedder=EMBEDDER)
    assert outcome.indexed == 2
    assert set(outcome.failed) == {"empty", "x" * 600, "flat", "#5"}
    assert all(outcome.failed.values())
    assert sorted(writer.ids(index)) == ["also good", "good"]
    assert ids(writer.vector_search(vectors[5], index, k=1)) == ["also good"]


def test_adding_the_same_documents_again_changes_nothing(writer: SearchEngine, filled: str) -> None:
    before = writer.describe(filled)
    outcome = writer.index_documents(PASSAGES, filled, vectors=axes(), embedder=EMBEDDER)
    assert (outcome.indexed, outcome.unchanged) == (0, len(PASSAGES))
    assert writer.describe(filled) == before


def test_a_changed_document_takes_the_place_of_the_old_one(writer: SearchEngine, fresh: str) -> None:
    changed = {**PASSAGES[1], "content": "Drones deliver within one hour."}
    before = writer.describe(fresh)["version"]
    outcome = writer.index_documents([changed], fresh, vectors=axes()[4:5], embedder=EMBEDDER)
    assert outcome.indexed == 1
    assert writer.count(fresh) == len(PASSAGES)
    assert ids(writer.search_docs("drones", fresh)) == ["shipping"]
    assert writer.search_docs("parcels warehouse", fresh) == []
    assert writer.describe(fresh)["version"] != before


def test_a_document_twice_in_one_call_is_stored_once_the_last_wins(writer: SearchEngine, index: str) -> None:
    twice = [{"id": "a", "content": "first heron"}, {"id": "a", "content": "second falcon"}]
    writer.index_documents(twice, index)
    assert writer.count(index) == 1
    assert ids(writer.search_docs("falcon", index)) == ["a"]
    assert writer.search_docs("heron", index) == []


def test_deleted_passages_are_found_by_neither_arm(writer: SearchEngine, fresh: str) -> None:
    assert writer.delete_documents(["refunds", "nothing"], fresh) == 1
    assert writer.count(fresh) == len(PASSAGES) - 1
    assert "refunds" not in ids(writer.search_docs("refund shoes", fresh, k=10))
    assert "refunds" not in ids(writer.vector_search(axes()[0], fresh, k=10))


def test_deleting_a_document_removes_every_passage_cut_from_it(writer: SearchEngine, fresh: str) -> None:
    assert writer.delete_documents(["menu.md"], fresh) == 2
    assert sorted(writer.ids(fresh)) == ["kyiv", "refunds", "shipping", "warranty"]


def test_a_passage_keeps_its_id_when_another_document_brings_it(writer: SearchEngine, fresh: str) -> None:
    foreign = [
        {"id": "lunch", "document": "evil.jsonl", "content": "Lunch is poison."},
        {"id": "refunds", "document": "evil.jsonl", "content": "Refunds are never paid."},
        {"id": "bait", "document": "evil.jsonl", "content": "Bait."},
        {"id": "bait", "document": "other.jsonl", "content": "Switch."},
    ]
    outcome = writer.index_documents(foreign, fresh, vectors=axes(4), embedder=EMBEDDER)
    assert (outcome.indexed, outcome.unchanged) == (1, 0)
    assert outcome.failed["lunch"] == "its id is that of a passage of menu.md"
    assert set(outcome.failed) == {"lunch", "refunds", "bait"}
    assert writer.origins(["lunch", "bait"], fresh) == {"lunch": "menu.md", "bait": "evil.jsonl"}
    assert writer.search_docs("poison paid switch", fresh) == []


def test_passages_of_one_document_are_removed_by_their_own_ids_alone(writer: SearchEngine, fresh: str) -> None:
    assert writer.delete_documents(["menu.md", "refunds"], fresh, of=["evil.jsonl"]) == 0
    assert writer.delete_documents(["menu.md", "lunch", "refunds"], fresh, of=["menu.md"]) == 1
    assert writer.count(fresh) == len(PASSAGES) - 1


def test_the_passages_of_a_document_can_be_listed(writer: SearchEngine, filled: str) -> None:
    assert sorted(writer.ids(filled, documents=["menu.md", "nothing.md"])) == ["lunch", "tokyo"]
    assert list(writer.ids(filled, documents=[])) == []
    assert len(list(writer.ids(filled))) == len(PASSAGES)


def test_the_hashes_of_stored_passages_can_be_asked_for(writer: SearchEngine, filled: str) -> None:
    shas = writer.chunk_shas(["refunds", "nothing"], filled)
    assert list(shas) == ["refunds"]
    assert len(shas["refunds"]) == 64


def test_a_corpus_is_described(engine: SearchEngine, filled: str) -> None:
    about = engine.describe(filled)
    told = None if isinstance(engine, KnowledgeBases) else len(PASSAGES)
    assert (about["name"], about["engine"], about["passages"]) == (filled, engine.name, told)
    assert engine.count(filled) == told
    made_with = None if told is None else EMBEDDER
    assert (about["embedder"], engine.embedder_of(filled)) == (made_with, made_with)


def test_a_corpus_that_is_kept_has_a_version(writer: SearchEngine, filled: str) -> None:
    assert writer.describe(filled)["version"]


NAMED = [
    {"id": "haul", "content": "Run `tern net --fine` with maxDepth.", "tenant": "acme", "source": "policy"},
    {"id": "sort", "content": "The `tern` sorts. A net is fine.", "code_words": "tern sorts", "tenant": "acme"},
    {"id": "other", "content": "Set `net` and `maxDepth`.", "tenant": "globex"},
]


@pytest.fixture(scope="module")
def named(writer: SearchEngine) -> str:
    """An index of passages with names, which no test changes."""
    name = f"t-{uuid.uuid4().hex[:12]}"
    assert writer.index_documents(NAMED, name).indexed == len(NAMED)
    return name


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["tern"], ["haul", "sort"]),
        (["sorts"], ["sort"]),
        (["net"], ["haul", "other"]),
        (["net", "maxDepth"], ["haul", "other"]),
        (["--fine", "tern"], ["haul"]),
        (["fine"], []),
        (["Tern"], []),
        (["maxdepth"], []),
        (["tern", "heron"], []),
        (["*"], []),
        ([], []),
    ],
)
def test_a_name_is_found_where_it_stands_as_one_as_it_is_written(
    writer: SearchEngine, named: str, names: list[str], found: list[str]
) -> None:
    assert sorted(ids(writer.naming(names, named, k=10) or [])) == found


def test_names_are_found_where_the_filter_allows(writer: SearchEngine, named: str) -> None:
    acme, nobody = SearchFilter(tenant="acme"), SearchFilter(tenant="nobody")
    assert sorted(ids(writer.naming(["maxDepth"], named, where=acme) or [])) == ["haul"]
    assert writer.naming(["maxDepth"], named, where=nobody) == []
    assert len(writer.naming(["tern"], named, k=1) or []) == 1
    assert writer.names_like(["max_depth"], named, where=nobody) == []
    assert "maxDepth" in writer.names_like(["max_depth"], named, where=acme)


def test_what_finds_a_name_is_a_result_like_any_other(writer: SearchEngine, named: str) -> None:
    found = (writer.naming(["--fine"], named) or [])[0]
    assert set(found) == set(writer.search_docs("tern", named)[0])
    assert (found["content"], found["rank"], found["retriever"]) == (NAMED[0]["content"], 1, "keyword")


def test_names_that_share_a_word_or_a_beginning_are_told(writer: SearchEngine, named: str) -> None:
    assert set(writer.names_like(["--fin"], named)) == {"tern", "net", "--fine", "maxDepth"}
    assert writer.names_like(["quill"], named) == []
    assert writer.names_like([], named) == []


def test_names_of_a_passage_that_changed_or_went_are_found_no_more(writer: SearchEngine, index: str) -> None:
    writer.index_documents(NAMED, index)
    writer.index_documents([{**NAMED[0], "content": "Run `tern cast`."}], index)
    assert ids(writer.naming(["--fine"], index) or []) == []
    assert ids(writer.naming(["cast"], index) or []) == ["haul"]
    writer.delete_documents(["haul"], index)
    assert writer.naming(["cast"], index) == []


def test_an_engine_that_keeps_no_names_says_so(engine: SearchEngine, filled: str) -> None:
    kept = isinstance(engine, (MemorySearch, EmbeddedSearch, OpenSearchEngine))
    assert (engine.naming(["quill"], filled), engine.names_like(["quill"], filled)) == ([] if kept else None, [])


def test_the_document_of_a_passage_can_be_asked_for(engine: SearchEngine, filled: str) -> None:
    lunch = engine.search_docs("crème brûlée", filled)[0]["id"]
    assert engine.origins([lunch, "nothing"], filled)[lunch] == "menu.md"


def test_the_terms_of_a_query_can_be_shown(ranker: SearchEngine, filled: str) -> None:
    assert ranker.analyze("The parcels", filled) == ["parcel"]


def test_what_is_written_without_spaces_is_found_by_two_signs_that_stand_together(
    writer: SearchEngine, index: str
) -> None:
    passages = [
        {"id": "map", "content": "これは東京の地図です。"},
        {"id": "temple", "content": "京都の寺は町の東にあります。"},
        {"id": "server", "content": "サーバーを再起動します。"},
        {"id": "seoul", "content": "수도는 서울에 있다."},
    ]
    writer.index_documents(passages, index)
    assert ids(writer.search_docs("東京", index)) == ["map"]
    assert ids(writer.search_docs("東京の地図はどこですか", index))[0] == "map"
    assert ids(writer.search_docs("サーバー", index)) == ["server"]
    assert ids(writer.search_docs("서울에", index)) == ["seoul"]


def test_replacing_a_corpus_is_never_seen_half_done(writer: SearchEngine, index: str) -> None:
    old = [{"id": f"old{n}", "content": "common old"} for n in range(40)]
    new = [{"id": f"new{n}", "content": "common new"} for n in range(60)]
    writer.index_documents(old, index)
    seen: list[set[str]] = []
    failures: list[BaseException] = []
    done = threading.Event()

    def read() -> None:
        try:
            while not done.is_set():
                seen.append(set(ids(writer.search_docs("common", index, k=100))))
        except BaseException as error:
            failures.append(error)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for _ in range(3):
        writer.index_documents(new, index, replace=True)
        writer.index_documents(old, index, replace=True)
    done.set()
    for reader in readers:
        reader.join()
    assert failures == []
    assert {frozenset(found) for found in seen} <= {
        frozenset(each["id"] for each in old),
        frozenset(each["id"] for each in new),
    }
    assert sorted(writer.ids(index)) == sorted(each["id"] for each in old)


@pytest.mark.opensearch
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_corpus_can_be_in_every_language_that_is_listed(language: str, opensearch_url: str) -> None:
    engine, name = OpenSearchEngine(Endpoint(opensearch_url), language=language), f"in-{language}"
    engine.index_documents([{"id": "a", "content": "server 3.5"}], name)
    assert ids(engine.search_docs("server", name)) == ["a"]
    engine.delete_documents(["a"], name)
