"""What code names is a claim of its own, and is looked up as it is written."""

from __future__ import annotations

from typing import Any

import pytest

from gate.agents.extract_claims import extract_claims
from gate.agents.verify_claims import verify_claims
from gate.decision.lookups.names import is_users_file, look_up, look_up_as_asked


def read(answer: str) -> dict[str, Any]:
    state: dict[str, Any] = {"transcript": {"turns": [{"role": "assistant", "content": answer}]}}
    extract_claims(state)
    return state


def named(answer: str) -> list[str]:
    return [claim["text"] for claim in read(answer)["claims"] if claim["kind"] == "name"]


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        ("Use `uv cache purge` to clear the cache.", ["uv cache purge"]),
        ("Run `npx @tern/upgrade now`.", ["npx", "@tern/upgrade"]),
        ("Run `npm install -g tern-proxy`.", ["npm install", "-g", "tern-proxy"]),
        ("Run `npm install @tern/flock@2 tern-log`.", ["npm install", "@tern/flock", "tern-log"]),
        ("```sh\npip install -U tern\n```", ["pip install", "-U", "tern"]),
        ("```sh\npip install -r needs.txt\n```", ["pip install", "-r"]),
        ("The flag `-v` is short for `--verbose`.", ["-v", "--verbose"]),
        ("The entry point is `__main__.py`.", ["__main__.py"]),
        ("Call `Client.connect(timeout)` first.", ["Client.connect"]),
        ("It returns `None`, `true` or `42`.", []),
        ("It waits `5m`, or `-0.5s`, and sends `0xfd` in `128MiB`; `5x` is called.", ["5x"]),
        ("Write `<your name>` there.", []),
        ("```sh\nuv cache purge --force\n```", ["uv cache purge", "--force"]),
        ("```sh\nexport UV_TURBO=1\n```", ["UV_TURBO"]),
        ("```sh\nUV_TURBO=1 UV_LOG=2 uv cache purge --force\n```", ["UV_TURBO", "UV_LOG", "uv cache purge", "--force"]),
        (
            "```sh\nuv cache purge && uv vanish --now | tern sort; uv list\n```",
            ["uv cache purge", "uv vanish", "--now", "tern sort", "uv list"],
        ),
        ("```sh\nuv say 'one && two' --loud\n```", ["uv say", "--loud"]),
        ("```sh\nUV_HOME=$(tern where --home) uv list\n```", ["UV_HOME", "uv list"]),
        ("```sh\n$ tern ask --name\nYour name: Ann\n```", ["tern ask", "--name"]),
        ("```\n$ tern ask\nYour name: Ann\n```", ["tern ask"]),
        ("```python\nif __name__ == '__main__':\n    pass\nelse:\n    pass\n```", []),
        (
            "```python\ntry:\n    sail()\nexcept ValueError:\n    pass\nwhile True:\n    pass\n```",
            ["sail", "ValueError"],
        ),
        ("```python\nfor tern in flock:\n    pass\n```", []),
        ("```pycon\n>>> from quillbase import Traveller\n```", ["quillbase", "Traveller"]),
        ("```yaml\nwith:\n  depth: 0\n```", ["with:", "depth: 0"]),
        ("```console\n$ tern --version\n```", ["tern --version"]),
        ("```sh\ntern log --all | head -5 | grep -v x\n```", ["tern log", "--all"]),
        ("```sh\ncat a.txt | tern check | head\n```", ["tern check"]),
        ("```sh\nhead x\n```", ["head x"]),
        ("```\nuv cache purge\n```", ["uv cache purge"]),
        ("```python\nfrom quillbase.magic import Traveller\n```", ["quillbase.magic", "Traveller"]),
        ("```python\nimport os\nclient = make_client()\nclient.connect()\n```", ["os", "make_client", "connect"]),
        ("```python\ndef own():\n    print(1)\nown()\n```", []),
        ('```js\nconst cfg = require("sunmere");\n```', ["sunmere"]),
        ("```yaml\nvisibility: private\n```", ["visibility: private"]),
        ("```diff\n- timeout: 30\n+ timeout: 60\n```", ["timeout: 30", "timeout: 60"]),
        ("```\nrefund_days = 900\n```", ["refund_days = 900"]),
        ("```diff\n- timeout = 30\n+ timeout = 900\n```", ["timeout = 30", "timeout = 900"]),
        ("```sql\nSELECT name FROM customers;\n```", ["customers"]),
        (
            "```python\nfrom tern import (\n    flock, nest,\n    egg,\n)\nhatch(\n    nest=egg(3),\n  flock,\n)\n```",
            ["tern", "flock", "nest", "egg", "hatch"],
        ),
        ("```python\n@retry(\n    retry=if_it_rains(),\n)\ndef sail():\n    pass\n```", ["retry", "if_it_rains"]),
        ("```console\ntern log --all\n```", ["tern log", "--all"]),
        ("Run `uv sync`, then `uv sync` again.", ["uv sync"]),
        ('Set `{"refund_days": 900}` there.', ['"refund_days": 900']),
        (
            '```json\n{"to": ["Norway", "Sweden"], "pay": "never"}\n```',
            ['"to": ["Norway", "Sweden"]', '"pay": "never"'],
        ),
    ],
)
def test_what_code_names_is_a_claim(answer: str, names: list[str]) -> None:
    assert named(answer) == names


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("```js\ncfg.stop(); // allowed under Dutch law\n```", "allowed under Dutch law"),
        ("```sql\n-- the table holds 12,000 rows\nSELECT 1;\n```", "the table holds 12,000 rows"),
        ('```json\n{"note": "Price doubled in May"}\n```', "Price doubled in May"),
        ('```sh\necho "Refunds take 900 days"\n```', "Refunds take 900 days"),
        (f'```python\nx = "Refunds take {"very " * 99}long"\n```', f"Refunds take {'very ' * 99}long"),
        ("````markdown\nVixen was banned in Sweden.\n````", "Vixen was banned in Sweden."),
        ("```text\nRefunds take 90 days.\n```", "Refunds take 90 days."),
        ("```\nRefunds take ninety days in Norway.\n```", "Refunds take ninety days in Norway."),
    ],
)
def test_what_code_says_in_words_is_a_claim(answer: str, said: str) -> None:
    assert said in [claim["text"] for claim in read(answer)["claims"] if claim["kind"] == "statement"]


def test_a_line_of_code_that_names_nothing_is_unread() -> None:
    state = read("```python\nimport os\nx = y[3]\n```")
    assert [(one["text"], one["reason"]) for one in state["non_claims"]] == [("x = y[3]", "code")]
    assert state["reading"]["unread"] == len("x=y[3]")


@pytest.mark.parametrize(
    "line",
    ["def charge(payment):", "class CallService:", "function call_service() {", "async def fetch(rows, *, most):"],
)
def test_a_line_that_makes_what_the_reader_calls_as_they_like_is_a_heading(line: str) -> None:
    assert [one["reason"] for one in read(f"```python\n{line}\n    sail()\n```")["non_claims"]] == ["heading"]


def test_what_the_code_of_an_answer_defines_is_not_looked_up_in_its_sentences() -> None:
    code = "def sail(fresh_rows, *steer, most=3):\n    tern_open()"
    answer = f"Pass `fresh_rows`, and `steer` it with `tern_open`:\n\n```python\n{code}\n```"
    assert named(f"{answer}\n\nThen call `sail()`, or `most`.") == ["tern_open"]


def test_a_line_that_calls_what_its_block_makes_asserts_nothing() -> None:
    state = read("```python\ndef sail(boat):\n    steer(boat)\n\nsail()\n```")
    assert [(one["text"], one["reason"]) for one in state["non_claims"]] == [
        ("def sail(boat):", "heading"),
        ("sail()", "heading"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "def refunds_never_given():",
        "def refunds_take_900_days(x):",
        "class DogsForbidden:",
        "def lamps_recalled():",
        "def sail(refunds_are_never_given):",
        'sail("refunds never")',
        "def sail(days=900):",
        "def sail(refunds are free):",
        "boats not lamps",
        "lamps in boats",
        "sail(900)",
    ],
)
def test_a_name_of_the_readers_own_that_states_something_is_unread(line: str) -> None:
    made = "" if line.startswith(("def", "class")) else "class sail: pass\nclass boats: pass\nclass lamps: pass\n"
    block = f"```python\n{made}{line}\n```"
    assert "code" in [one["reason"] for one in read(block)["non_claims"]]


@pytest.mark.parametrize(
    "line", ['send("Refunds never")', "echo Refunds take 900 days", 'curl -d "no refunds" x.example']
)
def test_a_line_with_words_that_are_not_looked_up_is_unread(line: str) -> None:
    assert [one["reason"] for one in read(f"```sh\n{line}\n```")["non_claims"]] == ["code"]


def test_a_string_is_read_with_the_key_whose_value_it_is() -> None:
    (claim,) = read('```json\n{"refund_policy": "takes ninety whole days"}\n```')["claims"]
    assert (claim["kind"], claim["text"]) == ("statement", "takes ninety whole days")
    assert claim["context"] == "refund policy:"


def test_a_claim_in_code_points_at_its_place() -> None:
    answer = "Clear it:\n\n```sh\n  uv cache purge  # removes all files\n```"
    for claim in read(answer)["claims"]:
        assert answer[claim["start"] : claim["end"]] == claim["text"]


PASSAGE = "Run `uv cache clean` to clear the cache; `--force` skips the lock. Set visibility to private.\n"
PASSAGE += "The default of refund_days is 30, of repair_days 18. We sold 900 lamps, the countries are Sweden, Norway."


@pytest.mark.parametrize(
    ("name", "quote"),
    [
        ("uv cache clean", "uv cache clean"),
        ("uv cache", "uv cache"),
        ("--force", "--force"),
        ("_days", "_days"),
        ("visibility: private", "visibility to private"),
        ("uv cache purge", None),
        ("uv cache cle", None),
        ("force-all", None),
        ("orce", None),
        ("visibility: public", None),
        ('"refund_days": 30', "refund_days is 30"),
        ("refund_days = 30", "refund_days is 30"),
        ('"refund_days": 900', None),
        ("refund_days: 18", None),
        ("lamps: 900", "900 lamps"),
        ('"countries": ["Norway", "Sweden"]', "countries are Sweden, Norway"),
        ('"countries": ["Norway", "Chad"]', None),
    ],
)
def test_a_name_stands_in_the_evidence_as_it_is_written_or_is_not_named(name: str, quote: str | None) -> None:
    assert look_up(name, ["Nothing here.", PASSAGE]) == (None if quote is None else (1, quote))


@pytest.mark.parametrize(
    ("name", "label", "reason"),
    [("uv cache clean", "supported", "entailed"), ("uv cache purge", "unsupported", "not_mentioned")],
)
def test_a_name_is_looked_up_and_no_verifier_is_asked(name: str, label: str, reason: str) -> None:
    claim = {"text": name, "kind": "name", "claim_id": "c0001"}
    state: dict[str, Any] = {"evidence": [{"claim": claim, "documents": [{"id": "a", "content": PASSAGE}]}]}
    verify_claims(state)
    (verdict,) = state["verdicts"]
    assert (verdict["label"], verdict["reason"], verdict["checked_by"]) == (label, reason, "rule:names/1")
    assert (verdict["quote"], verdict["documents"]) == ((name, ["a"]) if label == "supported" else ("", []))


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("uv --offline", "--offline"),
        ("uv -q", None),
        ("ux --offline", None),
        ("uv --off", None),
    ],
)
def test_a_command_with_an_option_is_named_where_both_stand_in_one_text(name: str, found: str | None) -> None:
    texts = ["`ux` is another tool.", "`uv` runs things. With `--offline` it fetches nothing.", "`-q` is quiet."]
    assert look_up(name, texts) == (None if found is None else (1, found))


TOLD = "I put it in ~/.toolrc. My repo has logs/ and 40 .log.gz files, backup-2024.tar.gz too, and OldClient. "


@pytest.mark.parametrize(
    ("name", "prompt", "own"),
    [
        *((name, TOLD, True) for name in ("~/.toolrc", "logs/", "!logs/", ".log.gz", "backup-2024.tar.gz", "*.gz")),
        ("OldClient.*", TOLD, True),
        *((name, TOLD, False) for name in ("OldClientFactory", "OldClient", "log/", "~/.tool", "*.log", "*", "put")),
        ("conf/tool.toml", "Is it read from conf/tool.toml?", False),
        ("conf/tool.toml", "I use v2. It is in conf/tool.toml.", True),
        ("uv cache purge", "I ran uv cache purge.", False),
        ("--quiet", "I gave --quiet.", False),
        ("logs/", "x" * 3000 + " I have logs/.", False),
    ],
)
def test_files_that_the_user_tells_of_are_no_claim_of_the_documents(name: str, prompt: str, own: bool) -> None:
    assert is_users_file(name, prompt) is own


def test_a_file_that_the_user_tells_of_is_supported_without_a_document() -> None:
    claim = {"text": "logs/", "kind": "name", "claim_id": "c0001", "source_prompt": "I have logs/ and build/."}
    state: dict[str, Any] = {"evidence": [{"claim": claim, "documents": [{"id": "a", "content": PASSAGE}], "near": ""}]}
    verify_claims(state)
    (verdict,) = state["verdicts"]
    said = "The user tells of `logs/`; nobody says that the evidence names it."
    assert (verdict["label"], verdict["justification"], verdict["documents"]) == ("supported", said, [])


MANUAL = "`tern new NAME` makes a nest, `tern list` lists them, `tern find {id}` finds one. `workers` is the number of "
MANUAL += (
    "workers (default 4). `retry.attempts` says how often it tries. The setting `refund_days` is 30. Power: 2200 W. "
)
MANUAL += "Pay by tern card API. Retries: none. A worker sleeps. You tern run HTTP servers. `pip install PACKAGE`. "
MANUAL += "`limit` must be at most 4."


@pytest.mark.parametrize(
    ("name", "quote"),
    [
        ("tern new my-nest", "tern new NAME"),
        ("tern find abc12", "tern find {id}"),
        ("retry:", "retry.attempts"),
        ("tern make my-nest", None),
        ("tern list my-nest", None),
        ("tern my-nest", None),
        ("tern new --force", None),
        ("tern new my nest", None),
        ("stern new my-nest", None),
        ("tern find all ids", None),
        ("tern run fast", None),
        ("pip install tern-client", None),
        ("retries:", None),
        ("power:", None),
        ("attempts:", None),
    ],
)
def test_what_a_document_leaves_open_is_filled_in(name: str, quote: str | None) -> None:
    assert look_up(name, [MANUAL]) == (None if quote is None else (0, quote))


@pytest.mark.parametrize(
    ("name", "prompt", "found"),
    [
        ("workers: 8", "Show me a config with 8 workers and 5 retries", "workers"),
        ("attempts: 5", "Show me a config with 8 workers and 5 retries", "attempts"),
        ('"workers" = "8"', "I want 8 workers.", "workers"),
        ("workers: 9", "Show me a config with 8 workers", None),
        ("workers: 8", "Show me a config with 18 workers", None),
        ("workers: 8", "Show me a config with 8.5 workers", None),
        ("workers: 8", "Show me a config with v8 workers", None),
        ("workers: 8", "Is the number of workers 8?", None),
        ("workers: 8", "Do 8 workers run?", None),
        ("workers: 8", "Write down the default, 8", None),
        ("workers:", "Show me a config with 8 workers", None),
        ("threads: 8", "Show me a config with 8 threads", None),
        ("worker: 8", "Show me a config with 8 workers", None),
        ("retries: 5", "Show me a config with 5 retries", None),
        ("Power: 1000", "Show me the power, 1000 W", None),
        ("refund_days: 900", "My contract has 900 refund days, show me the line", None),
        ("workers: 8", "How many workers run on my 8 hosts?", None),
        ("workers: 8", "My app needs 8. What does Tern set?", None),
        ("limit: 8", "Show me a config with a limit of 8", None),
        ("--workers", "8", None),
    ],
)
def test_a_value_that_was_asked_for_is_no_claim_of_the_documents(name: str, prompt: str, found: str | None) -> None:
    assert look_up_as_asked(name, prompt, [MANUAL]) == (None if found is None else (0, found))


def test_a_setting_with_a_value_that_was_asked_for_is_supported_by_its_key() -> None:
    claim = {"text": "workers: 8", "kind": "name", "claim_id": "c0001", "source_prompt": "A config with 8 workers"}
    state: dict[str, Any] = {"evidence": [{"claim": claim, "documents": [{"id": "a", "content": MANUAL}]}]}
    verify_claims(state)
    assert [(one["label"], one["quote"]) for one in state["verdicts"]] == [("supported", "workers")]
