"""The evidence aggregator: the seed's data model, rule by rule."""

from __future__ import annotations

import copy
import logging
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.agents.aggregate_evidence import SHOWN_REJECTIONS, EvidenceAggregator, aggregate_evidence, merge_evidences

Record: TypeAlias = dict[str, Any]
Evidences: TypeAlias = dict[str, list[Record]]

MAIN = {"evidence_id": "repo_FILE_X", "found": True, "location": "src/main.py"}
CITED = {"evidence_id": "docs_1", "evidence_class": "DOCUMENT_CLAIM", "found": True, "location": "non_existent.py"}


def record(evidence_id: str, location: str, **more: object) -> Record:
    return {"evidence_id": evidence_id, "found": True, "location": location, **more}


def metadata_of(evidences: Evidences, **state: object) -> dict[str, Any]:
    whole: dict[str, Any] = {"evidences": evidences, **state}
    aggregate_evidence(whole)
    metadata: dict[str, Any] = whole["metadata"]
    return metadata


def test_a_path_that_only_the_documentation_knows_gives_the_record_of_the_specification() -> None:
    clean = EvidenceAggregator(".").aggregate({"repo": [MAIN], "docs": [CITED], "vision": []})

    assert clean == {
        "repo": [MAIN],
        "docs": [
            CITED,
            {
                "evidence_id": "docs_DOCUMENT_CLAIM_87ba0792",
                "evidence_class": "DOCUMENT_CLAIM",
                "found": False,
                "location": "non_existent.py",
                "rationale": "Path cited in documentation does not exist in the repository manifest.",
            },
        ],
        "vision": [],
    }


def test_a_path_that_the_repository_holds_adds_nothing() -> None:
    evidences = {"repo": [MAIN], "docs": [record("docs_1", "src/main.py"), record("docs_2", "src")]}

    assert EvidenceAggregator(".").aggregate(evidences) == evidences


def test_a_place_inside_an_existing_file_is_not_a_missing_path() -> None:
    docs = [record(f"docs_{n}", f"src/main.py{place}") for n, place in enumerate((":10", ":10:4", "#L3", "#L3-L9"))]

    assert EvidenceAggregator(None).examine({"repo": [MAIN], "docs": docs}).conflicts == []


def test_aggregating_again_changes_nothing() -> None:
    once = EvidenceAggregator(".").aggregate({"repo": [MAIN], "docs": [CITED]})

    assert EvidenceAggregator(".").aggregate(once) == once


def test_the_input_is_left_as_it_was() -> None:
    evidences = {"repo": [record("r", "./a.py")], "docs": [record("d", "b.py"), record("d", "c.py")]}
    before = copy.deepcopy(evidences)

    EvidenceAggregator(".").aggregate(evidences)

    assert evidences == before


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("/etc/passwd", "the path is absolute"),
        ("C:\\Windows\\system.ini", "the path is absolute"),
        ("c:relative.py", "the path is absolute"),
        ("\\\\server\\share\\x", "the path is absolute"),
        ("\\rooted", "the path is absolute"),
        ("file:///etc/passwd", "the path is absolute"),
        ("~/.ssh/id_rsa", "the path starts in a home folder"),
        ("../sibling/x.py", "the path leaves the repository"),
        ("src/../../x.py", "the path leaves the repository"),
        ("..\\x.py", "the path leaves the repository"),
        ("src/\0.py", "the path holds a NUL character"),
        ("caf\udce9.py", "the path is not valid UTF-8"),
        ("a/" * 2_100 + "b", "the path is longer than 4096 characters"),
        (" ", "the path is empty"),
    ],
)
def test_a_path_that_is_not_inside_the_repository_is_left_out_with_the_reason(location: str, reason: str) -> None:
    state: dict[str, Any] = {
        "evidences": {"repo": [MAIN], "docs": [record("docs_1", location), record("docs_2", "src/main.py")]}
    }

    aggregate_evidence(state)

    assert [entry["evidence_id"] for entry in state["evidences"]["docs"]] == ["docs_2"]
    assert state["metadata"]["pipeline_integrity"] == "FAILED"
    assert [(r["source"], r["evidence_id"], r["reason"]) for r in state["metadata"]["rejections"]] == [
        ("docs", "docs_1", reason)
    ]


def test_a_link_that_leads_out_of_the_repository_is_left_out(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    (root / "src").mkdir(parents=True)
    (tmp_path / "repo-secrets").mkdir()
    (tmp_path / "repo-secrets" / "key.pem").write_text("x")
    (root / "key.pem").symlink_to(tmp_path / "repo-secrets" / "key.pem")
    (root / "secrets").symlink_to("../repo-secrets")
    (root / "inside").symlink_to("src")
    (root / "loop").symlink_to("loop")
    names = ["key.pem", "secrets/key.pem", "secrets/../a.py", "inside/a.py", "loop/x", "src/a.py", "src/../src/b.py"]
    repo = [record(f"repo_{name}", name) for name in names]

    findings = EvidenceAggregator(root).examine({"repo": repo, "docs": []})

    assert [entry["location"] for entry in findings.evidences["repo"]] == ["inside/a.py", "src/a.py", "src/b.py"]
    assert [r["location"] for r in findings.rejections] == [
        "key.pem",
        "secrets/key.pem",
        "secrets/../a.py",
        "loop/x",
    ]


def test_paths_are_spelled_one_way() -> None:
    repo = [record("r1", "src\\gate\\model.py"), record("r2", "./docs//index.md"), record("r3", "a/../b.py")]

    clean = EvidenceAggregator(None).aggregate({"repo": repo, "docs": []})

    assert [entry["location"] for entry in clean["repo"]] == ["src/gate/model.py", "docs/index.md", "b.py"]


@pytest.mark.parametrize("missing", ["repo", "docs"])
def test_a_missing_mandatory_source_fails_the_integrity_and_flags_nothing(missing: str) -> None:
    evidences = {"repo": [MAIN], "docs": [CITED], "vision": []}
    del evidences[missing]

    metadata = metadata_of(evidences)

    assert metadata["pipeline_integrity"] == "FAILED"
    assert metadata["problems"] == [{"problem": "missing_key", "source": missing}]
    assert metadata["missing_paths"] == 0


def test_of_two_records_with_one_id_in_any_source_the_first_stays() -> None:
    evidences = {"repo": [record("x", "a.py")], "docs": [record("x", "b.py"), record("y", "a.py"), record("y", "c.py")]}

    findings = EvidenceAggregator(None).examine(evidences)

    assert findings.evidences == {"repo": [record("x", "a.py")], "docs": [record("y", "a.py")]}


def test_a_record_that_bears_the_id_of_a_flag_cannot_hide_it() -> None:
    planted = record("docs_DOCUMENT_CLAIM_87ba0792", "src/main.py")
    found = metadata_of({"repo": [MAIN], "docs": [planted, CITED]})
    assert found["pipeline_integrity"] == "FAILED"
    assert found["problems"] == [
        {"problem": "id_taken", "source": "docs", "evidence_id": "docs_DOCUMENT_CLAIM_87ba0792"}
    ]


def test_a_record_that_says_already_what_a_flag_says_is_no_problem() -> None:
    said = {**record("docs_DOCUMENT_CLAIM_87ba0792", "non_existent.py"), "found": False}
    found = metadata_of({"repo": [MAIN], "docs": [said, CITED]})
    assert (found["pipeline_integrity"], found["problems"]) == ("SUCCESS", [])


@pytest.mark.parametrize("found", [None, 0, "", "true", 1])
def test_a_file_that_is_not_plainly_found_is_not_in_the_manifest(found: object) -> None:
    repo = [{**MAIN, "location": "non_existent.py", "found": found}]
    assert metadata_of({"repo": repo, "docs": [CITED]})["missing_paths"] == 1


def test_a_name_longer_than_any_file_system_has_is_rejected_and_the_rest_goes_on(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    docs = [record("d1", "src/" + "x" * 300), record("d2", "src/main.py")]
    findings = EvidenceAggregator(tmp_path).examine({"repo": [MAIN], "docs": docs})
    assert [one["evidence_id"] for one in findings.rejections] == ["d1"]
    assert findings.evidences["docs"] == [docs[1]]


def test_one_record_stands_for_a_missing_path_however_often_it_is_cited() -> None:
    docs = [record("d1", "gone.py"), record("d2", "./gone.py"), record("d3", "gone.py:7")]

    clean = EvidenceAggregator(None).aggregate({"repo": [MAIN], "docs": docs})

    assert [entry["location"] for entry in clean["docs"] if not entry["found"]] == ["gone.py"]


@pytest.mark.parametrize("kind", ["example", "placeholder", "url", "to_be_created", "deleted", "other_repository"])
def test_a_mention_that_does_not_assert_existence_is_never_flagged(kind: str) -> None:
    evidences = {"repo": [MAIN], "docs": [record("d1", "gone.py", mention={"kind": kind})]}

    assert EvidenceAggregator(None).aggregate(evidences) == evidences


def test_the_strongest_mention_speaks_for_a_missing_path() -> None:
    weak = record("d1", "gone.py", source="a.md:1", mention={"kind": "asserts", "tier": "warn"})
    strong = record("d2", "gone.py", source="b.md:9", mention={"kind": "asserts", "tier": "block"})

    clean = EvidenceAggregator(None).aggregate({"repo": [MAIN], "docs": [weak, strong]})

    assert clean["docs"][-1]["mention"]["tier"] == "block"
    assert clean["docs"][-1]["source"] == "b.md:9"
    assert clean["docs"][-1]["mentioned_by"] == ["d1", "d2"]


@pytest.mark.parametrize(
    "broken",
    [
        None,
        7,
        "x",
        {},
        {"evidence_id": "e"},
        {"evidence_id": "", "location": "a"},
        record("e", "a", mention=["asserts"]),
    ],
)
def test_what_is_no_evidence_record_is_left_out_and_counted(broken: Any) -> None:
    metadata = metadata_of({"repo": [MAIN, broken], "docs": []})

    assert metadata["rejected"] == 1
    assert metadata["pipeline_integrity"] == "FAILED"
    assert metadata["counts"] == {"repo": 1, "docs": 0}


@pytest.mark.parametrize("broken", [None, "x", {"a": 1}])
def test_a_mandatory_source_that_is_no_list_counts_as_missing(broken: Any) -> None:
    metadata = metadata_of({"repo": broken, "docs": []})

    assert {"problem": "missing_key", "source": "repo"} in metadata["problems"]


@pytest.mark.parametrize("cited", ["caf%C3%A9.md", "cafe\u0301.md", "caf\u00e9.md#opening-hours", "caf%C3%A9.md:12"])
def test_a_path_is_found_however_it_is_encoded(cited: str) -> None:
    repo, docs = [record("repo_1", "caf\u00e9.md")], [record("docs_1", cited)]
    assert EvidenceAggregator(None).examine({"repo": repo, "docs": docs}).conflicts == []
    assert EvidenceAggregator(None).examine({"repo": [MAIN], "docs": docs}).conflicts != []


@pytest.mark.parametrize("address", ["https://example.org/a.py", "ftp://example.org/a.py", "mailto:jane@example.org"])
def test_an_address_is_no_path(address: str) -> None:
    evidences = {"repo": [MAIN], "docs": [record("d1", address)]}

    assert EvidenceAggregator(".").aggregate(evidences) == evidences


def test_the_lifecycle_event_holds_counts_and_no_text() -> None:
    event = metadata_of({"repo": [MAIN], "docs": [CITED]})["events"][0]

    assert event["event"] == "PROJECT_LIFECYCLE"
    assert event["counts"] == {"repo": 1, "docs": 2}
    assert event["missing_paths"] == 1
    assert "non_existent" not in str(event)


def test_the_aggregator_alone_logs_the_lifecycle_event(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="gate"):
        EvidenceAggregator(".").aggregate({"repo": [MAIN], "docs": [CITED]})

    assert [entry.message for entry in caplog.records] == ["PROJECT_LIFECYCLE"]


def test_the_agent_logs_the_lifecycle_event_with_counts_wherever_it_runs(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="gate"):
        aggregate_evidence({"evidences": {"repo": [MAIN], "docs": [CITED]}})

    assert [entry.message for entry in caplog.records] == ["PROJECT_LIFECYCLE"]
    assert vars(caplog.records[0])["lifecycle"]["missing_paths"] == 1


def test_what_the_detectives_left_is_reduced_before_it_is_cleaned() -> None:
    collected = [
        {"detective": "collect_repo_evidence", "evidences": {"repo": [MAIN]}, "error": None},
        {"detective": "collect_docs_evidence", "evidences": {"docs": [CITED]}, "error": None},
        {"detective": "collect_docs_evidence", "evidences": {"docs": [CITED]}, "error": None},
        {"detective": "collect_vision_evidence", "evidences": {"vision": []}, "error": None},
    ]
    state: dict[str, Any] = {"collected": collected, "config": {}}

    aggregate_evidence(state)

    assert {source: len(records) for source, records in state["evidences"].items()} == {
        "repo": 1,
        "docs": 2,
        "vision": 0,
    }
    assert state["metadata"]["pipeline_integrity"] == "SUCCESS"


def test_a_detective_that_failed_fails_the_integrity() -> None:
    collected = [
        {"detective": "collect_repo_evidence", "evidences": {"repo": [MAIN]}, "error": None},
        {"detective": "collect_docs_evidence", "evidences": {"docs": []}, "error": None},
        {"detective": "collect_vision_evidence", "evidences": {}, "error": "InternalError"},
    ]
    state: dict[str, Any] = {"collected": collected}

    aggregate_evidence(state)

    assert state["metadata"]["pipeline_integrity"] == "FAILED"
    assert state["metadata"]["problems"] == [
        {"problem": "detective_failed", "source": "collect_vision_evidence", "error": "InternalError"}
    ]


def test_nothing_is_said_to_be_missing_from_a_repository_that_could_not_be_read() -> None:
    unreadable = {**record("repo_UNREADABLE_1", "."), "evidence_class": "UNREADABLE", "fatal": True, "found": False}

    metadata = metadata_of({"repo": [unreadable], "docs": [CITED]})

    assert metadata["missing_paths"] == 0
    assert metadata["pipeline_integrity"] == "FAILED"


ids = st.sampled_from("abcde")
records = st.lists(st.builds(lambda i, p: {"evidence_id": i, "location": p}, ids, st.sampled_from("xyz")), max_size=6)
dictionaries = st.dictionaries(st.sampled_from(["repo", "docs", "vision"]), records, max_size=3)


@given(dictionaries, dictionaries, dictionaries)
def test_merging_is_associative(a: Evidences, b: Evidences, c: Evidences) -> None:
    assert merge_evidences(merge_evidences(a, b), c) == merge_evidences(a, merge_evidences(b, c))


@given(dictionaries, dictionaries)
def test_merging_again_changes_nothing(a: Evidences, b: Evidences) -> None:
    merged = merge_evidences(a, b)

    assert merge_evidences(merged, b) == merged
    assert merge_evidences(merged, merged) == merged


@given(dictionaries, dictionaries)
def test_merging_keeps_order_and_the_first_of_each_id(a: Evidences, b: Evidences) -> None:
    before = copy.deepcopy((a, b))

    merged = merge_evidences(a, b)

    for source, entries in merged.items():
        everything = a.get(source, []) + b.get(source, [])
        firsts = [
            e for n, e in enumerate(everything) if e["evidence_id"] not in {x["evidence_id"] for x in everything[:n]}
        ]
        assert entries == firsts
    assert (a, b) == before


def an_unreadable_file(**more: object) -> Record:
    return record("repo_1", "locked.py", evidence_class="UNREADABLE", rationale="no permission", **more)


def test_one_file_that_could_not_be_read_does_not_stop_the_comparison() -> None:
    found = metadata_of({"repo": [MAIN, an_unreadable_file()], "docs": [record("docs_1", "gone.py")]})

    assert found["missing_paths"] == 1
    assert found["pipeline_integrity"] == "FAILED"


def test_of_a_repository_that_could_not_be_read_nothing_is_said_to_be_missing() -> None:
    found = metadata_of({"repo": [an_unreadable_file(fatal=True)], "docs": [record("docs_1", "gone.py")]})

    assert found["missing_paths"] == 0


def test_of_many_rejections_the_state_keeps_the_first_and_the_count_is_whole() -> None:
    found = metadata_of({"repo": [record(f"repo_{n}", f"/abs/{n}") for n in range(120)], "docs": []})

    assert found["rejected"] == 120
    assert len(found["rejections"]) == SHOWN_REJECTIONS


def test_duplicates_are_counted_across_sources_and_the_first_stays() -> None:
    whole = {"repo": [MAIN], "docs": [{**MAIN, "location": "src/main.py:3"}], "vision": [MAIN]}
    found = EvidenceAggregator(None).examine(whole)

    assert found.duplicates == 2
    assert found.evidences["repo"] == [MAIN]
    assert found.evidences["docs"] == found.evidences["vision"] == []
