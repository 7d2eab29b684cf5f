"""The gate's state machine: what one submission goes through. It only routes; every decision is in a Lambda.

    LoadTranscript ─► Gather ─┬─ Carry
                              ├─ ExtractClaims ─► CheckClaims: RetrieveEvidence ─► VerifyClaims, for each branch
                              ├─ Detect: the detectives side by side ─► AggregateEvidence
                              └─ RetrieveCitations
                   ─► Judge ─► RequestReview, where the policy has a person asked ─► PublishReport

An error is caught only where the rest is still worth having: per branch of claims, per detective, for the aggregator,
for the citations, and for the event that announces a report. Any other error ends the run as failed, so that a redrive
continues where it stopped.
"""

from __future__ import annotations

from aws_cdk import aws_stepfunctions as sfn
from aws_cdk import aws_stepfunctions_tasks as tasks

from gate.catalogue import BY_NAME, DETECTIVES
from gate.errors import ReviewOverError

from .states import ERROR, WHY, States


def pipeline(states: States, *, waits: bool = True) -> sfn.Chain:
    """The whole chain, from a submission to its report; `waits`: a person may be asked on the way."""
    judged = (
        sfn.Chain.start(states.task("load_transcript"))
        .next(
            states.gather("Gather", carry(states), claims(states), artifacts(states), segment(states)),
        )
        .next(states.task("judge"))
    )
    publish = states.last("publish_report")
    return judged.next(review(states, publish) if waits else publish)


def review(states: States, publish: tasks.LambdaInvoke) -> sfn.Choice:
    """Wait for a person where the policy wants it: once they have decided, or their time is over, the run goes on."""
    ask = states.ask("request_review", limit_s="$.review.limit_s")
    ask.add_catch(publish, errors=["States.Timeout", ReviewOverError.__name__], result_path=sfn.JsonPath.DISCARD)
    wanted = sfn.Condition.boolean_equals("$.review.wanted", True)
    return states.choose("AnyReview", wanted, then=ask.next(publish), otherwise=publish)


def carry(states: States) -> sfn.IChainable:
    """What came in stays: the other branches' keys are laid over it."""
    return sfn.Pass(states.scope, "Carry")


def claims(states: States) -> sfn.IChainable:
    """Extract the claims, and check them in as many branches as `extract_claims` made of them."""
    check = states.each(
        "CheckClaims",
        check_claims(states),
        of="$.branches",
        into="$.checked",
        branch="$$.Map.Item.Index",
        config="$.config",
        claims="$$.Map.Item.Value",
        contexts="$.contexts",
    )
    any_claims = states.choose(
        "AnyClaims",
        sfn.Condition.is_present("$.branches[0]"),
        then=check.next(states.leave("ClaimsDone", "claims", "non_claims", "reading", "estimate", "checked")),
        otherwise=states.leave("NoClaims", "claims", "non_claims", "reading", "estimate", checked=[]),
    )
    return states.task("extract_claims").next(any_claims)


def check_claims(states: States) -> sfn.IChainable:
    """One branch of claims: its verdicts, or the name of the error that left it unchecked, and what it says."""
    unchecked = states.leave("Unchecked", "branch", verdicts=[], evidence=[], ranking=[], error=ERROR, why=WHY)
    checked = states.leave("Checked", "branch", "verdicts", "evidence", "ranking", error=None, why=None)
    untold, told = states.telling(unchecked)
    verify = states.task("verify_claims", otherwise=untold, told=told).next(checked)
    return states.task("retrieve_evidence", otherwise=untold, told=told).next(verify)


def artifacts(states: States) -> sfn.IChainable:
    """The detectives look at what came with the answer; the aggregator makes one dictionary of what they found."""
    failed = states.leave(
        "ArtifactsFailed",
        evidences={},
        metadata={"pipeline_integrity": "FAILED"},
        artifacts_error=ERROR,
        artifacts_why=WHY,
    )
    untold, told = states.telling(failed, "Artifacts")
    done = states.leave("ArtifactsDone", "evidences", "metadata", artifacts_error=None, artifacts_why=None)
    detect = states.side_by_side("Detect", *(detective(states, name) for name in DETECTIVES), into="$.collected")
    return states.choose(
        "AnyArtifacts",
        sfn.Condition.boolean_equals("$.has.artifacts", True),
        then=detect.next(states.task("aggregate_evidence", otherwise=untold, told=told)).next(done),
        otherwise=states.leave("NoArtifacts", evidences={}, metadata={}, artifacts_error=None, artifacts_why=None),
    )


def detective(states: States, agent: str) -> sfn.IChainable:
    """One detective: its evidence, or the name of its error and what it says."""
    name = BY_NAME[agent].state_name
    untold, told = states.telling(
        states.leave(f"{name}Failed", detective=agent, evidences={}, error=ERROR, why=WHY), name
    )
    done = states.leave(f"{name}Done", "evidences", detective=agent, error=None, why=None)
    return states.task(agent, otherwise=untold, told=told).next(done)


def segment(states: States) -> sfn.IChainable:
    """Citations for the segment of conversation that a caller wants grounded."""
    failed = states.leave("CitationsFailed", citations=[], citations_error=ERROR, citations_why=WHY)
    untold, told = states.telling(failed, "Citations")
    done = states.leave("CitationsDone", "citations", citations_error=None, citations_why=None)
    return states.choose(
        "AnySegment",
        sfn.Condition.boolean_equals("$.has.segment", True),
        then=states.task("retrieve_citations", otherwise=untold, told=told).next(done),
        otherwise=states.leave("NoSegment", citations=[], citations_error=None, citations_why=None),
    )
