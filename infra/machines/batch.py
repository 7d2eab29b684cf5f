"""The batch machine: one upload of many transcripts, each through the same chain of states as a single one.

SplitBatch ─► CheckTranscripts: the whole pipeline, for each transcript of a part ─► SummarizeBatch ─► any part left?
     ▲                                                                                              │
     └──────────────────────────────────────────────────────────────────────────────────────────────┘

Part by part, so that neither a manifest nor an account of reports is longer than a function's time, and what is done is
known while the rest is under way.

No transcript of a batch waits for a person: ten that do would hold up all the others.
"""

from __future__ import annotations

from collections.abc import Mapping

from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from .pipeline import pipeline
from .states import States

TOLERATED = 1_000_000
"""Failed transcripts that do not end the batch: all. `summarize_batch` counts each as an error, never as a pass."""


def batch(
    scope: Construct,
    functions: Mapping[str, lambda_.IFunction],
    *,
    blobs: s3.IBucket,
    at_once: int,
    max_concurrency: int,
) -> sfn.Chain:
    """The whole chain, from an upload to the account of its reports.

    Args:
        at_once: transcripts; each has up to `max_concurrency` branches of claims of its own.
    """
    states = States(scope, functions)
    items = States(Construct(scope, "Transcript"), functions, run_id="$.run_id", max_concurrency=max_concurrency)
    check = sfn.DistributedMap(
        scope,
        "CheckTranscripts",
        item_reader=sfn.S3JsonItemReader(bucket=blobs, key=sfn.JsonPath.string_at("$.batch.manifest")),
        item_selector={
            "run_id.$": "$$.Map.Item.Value.run_id",
            "submission.$": "$$.Map.Item.Value.submission",
            "config.$": "$.config",
        },
        map_execution_type=sfn.StateMachineType.STANDARD,
        max_concurrency=at_once,
        result_path=sfn.JsonPath.DISCARD,
        result_writer_v2=sfn.ResultWriterV2(bucket=blobs, prefix="runs/batches"),
        tolerated_failure_count=TOLERATED,
    )
    check.item_processor(pipeline(items, waits=False))
    any_transcripts = states.choose(
        "AnyTranscripts",
        sfn.Condition.number_greater_than("$.batch.transcripts", 0),
        then=check,
        otherwise=sfn.Pass(scope, "NoTranscripts"),
    )
    split = states.task("split_batch")
    any_left = states.choose(
        "AnyPartLeft",
        sfn.Condition.boolean_equals("$.batch.more", True),
        then=split,
        otherwise=sfn.Pass(scope, "EveryPartSummarized"),
    )
    return sfn.Chain.start(split).next(any_transcripts.afterwards()).next(states.last("summarize_batch")).next(any_left)
