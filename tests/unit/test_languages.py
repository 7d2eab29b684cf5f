"""In which language a claim is, and what becomes of one that the local verifier was not measured in."""

from __future__ import annotations

from typing import Any

import pytest

from gate.adapters.local_verifier import LocalVerifier, local_verifier
from gate.agents.extract_claims import extract_claims
from gate.agents.judge import judge
from gate.agents.verify_claims import verify_claims
from gate.errors import UnmeasuredLanguageError
from gate.reports.building import _causes
from gate.reports.wording import after_failure
from gate.settings import Settings
from gate.text.languages import OTHER, document_language, language_of
from gate.wiring import Wiring, entered
from tests.builders import a_document

REFUNDS = "Erstattungen werden innerhalb von 14 Tagen auf das Konto gezahlt."


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (REFUNDS, "de"),
        ("Le remboursement est versé sur le compte dans les 14 jours.", "fr"),
        ("El reembolso se paga en la cuenta dentro de 14 días.", "es"),
        ("Il rimborso è pagato sul conto entro 14 giorni.", "it"),
        ("O reembolso é pago na conta em 14 dias pelo vendedor.", "pt"),
        ("De terugbetaling wordt binnen 14 dagen op de rekening gestort.", "nl"),
        ("Återbetalningen är betald på kontot och kommer från oss.", "sv"),
        ("Zwrot środków następuje w ciągu 14 dni, jeśli sprzedający go zatwierdził.", OTHER),
        ("İade süresi dört gündür, ödeme hesabınıza yapılır.", OTHER),
        ("退款将在14天内到账。", OTHER),
        ("Возврат выплачивается в течение 14 дней.", OTHER),
        ("تُدفع المبالغ خلال 14 يومًا.", OTHER),
        ("Refunds are paid within 14 days.", "en"),
        ("The film 'Das Leben der Anderen' won an Oscar.", "en"),
        ("Müller and García wrote it in São Paulo.", "en"),
        ("Kubernetes 1.29 EOL 2025-02-28", ""),
        ("Ω = 5, π = 3.14, café", ""),
        ("", ""),
    ],
)
def test_a_language_is_told_by_its_words_and_letters_and_never_guessed(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (f"{REFUNDS} `gate check answer.md --corpus docs` " * 3, "de"),
        ("サーバーを再起動するには、次のコマンドを実行します。 uvicorn main:app --host 0.0.0.0 --port 80", "ja"),
        ("서버를 다시 시작하려면 다음 명령을 실행합니다. uvicorn main:app", "ko"),
        ("要重新启动服务器，请运行以下命令。 uvicorn main:app --reload and open the page", "zh"),
        ("東京都庁", OTHER),
        ("Sunucuyu yeniden başlatmak için şu komutu çalıştırın ve sonra tarayıcıyı açın.", OTHER),
        ("Чтобы перезапустить сервер, выполните команду. uvicorn main:app", OTHER),
        ("To restart the server, run the command. Müller wrote it.", "en"),
        ("`0x1F`", ""),
    ],
)
def test_the_language_of_a_document_is_told_whatever_code_it_has(text: str, language: str) -> None:
    assert document_language(text) == language


@pytest.mark.parametrize("verifier", [LocalVerifier(), local_verifier()], ids=["lexical", "best"])
def test_the_local_verifier_does_not_judge_a_language_in_which_it_was_not_measured(verifier: LocalVerifier) -> None:
    with pytest.raises(UnmeasuredLanguageError, match="in German"):
        verifier.judge(REFUNDS, "", [{"content": REFUNDS}])
    assert verifier.judge("Kubernetes 1.29 EOL 2025-02-28", "", [{"content": "Kubernetes 1.29"}]).answer.label


def checked(text: str) -> dict[str, Any]:
    state: dict[str, Any] = {"transcript": {"turns": [{"role": "assistant", "content": text}]}}
    extract_claims(state)
    document = a_document(f"{REFUNDS} Refunds are paid within 14 days of the return.")
    state["evidence"] = [{"claim": claim, "documents": [document]} for claim in state["claims"]]
    verify_claims(state)
    state["checked"] = [
        {"branch": claim["branch"], "verdicts": [verdict], "evidence": [], "ranking": []}
        for claim, verdict in zip(state["claims"], state["verdicts"], strict=True)
    ]
    judge(state)
    return state


def test_such_a_claim_is_unchecked_its_neighbours_are_judged_and_the_answer_does_not_pass() -> None:
    with entered(Wiring(Settings(model="local"))):
        state = checked(f"Refunds are paid within 14 days of the return. {REFUNDS}")
    assert [claim["language"] for claim in state["claims"]] == ["en", "de"]
    assert [verdict["reason"] for verdict in state["verdicts"]] == ["entailed", "language"]
    assert "in German" in state["verdicts"][1]["justification"]
    assert state["accounting"]["unchecked_claims"] == ["c0002"]
    assert state["decision"]["outcome"] == "review"
    assert _causes(state) == {"UnmeasuredLanguageError": 1}
    assert "`GATE_MODEL`" in after_failure("UnmeasuredLanguageError")
