"""What the functions ask of AWS themselves, as requests that policies must allow.

`own_calls.txt` holds the calls: those that the deployed code made in `tests/integration/test_deploy.py`, which fails on
one that is not in it, and by hand those that no test there comes to. What KMS is asked on the way belongs to each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from gate.catalogue import BY_NAME, Use
from tests.iam.deployed_account import REGION, Account
from tests.iam.evaluation import ACCOUNT, Request
from tests.iam.service_calls import READ, TLS, WRITE, encryption_of, on_key

LINES = tuple(
    line
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
)
VERBS = {
    "HeadObject": "GetObject",
    "ListObjectsV2": "ListBucket",
    "ListObjectVersions": "ListBucketVersions",
    "DeleteObjects": "DeleteObject",
}
"""Operations that IAM knows by another name."""


def own_calls(account: Account) -> Iterator[Request]:
    """Every call that a function of the account may come to make."""
    for line in LINES:
        agent, operation, *thing = line.split(" ")
        if agent in account.roles and serves(account, agent, thing[0]):
            service, _, verb = operation.partition(":")
            yield from BY_SERVICE[service](account, account.roles[agent], verb, thing)
    for agent, role in account.roles.items():
        yield from on_search(account, agent, role)
        yield from on_ledger(account, agent, role)


def serves(account: Account, agent: str, thing: str) -> bool:
    """Whether what a line is about is there: models and tables are left out by properties."""
    if thing == "comprehend":
        return "comprehend" in account.settings(agent)["GATE_REDACTOR"]
    setting = {"budgets": "BUDGET_TABLE", "embedder": "EMBEDDER", "images": "IMAGES"}.get(thing, "BLOBS")
    return account.settings(agent).get(f"GATE_{setting}", "") not in ("", "none")


def on_s3(account: Account, role: str, verb: str, thing: list[str]) -> Iterator[Request]:
    """On an object, or the list of a folder; what is encrypted is read and written by the key, bucket by bucket."""
    name, _, folder = thing[0].partition("/")
    bucket = account.blobs if name == "blobs" else account.uploads
    verb = VERBS.get(verb, verb) + ("Version" if "VersionId" in thing else "")
    if verb.startswith("ListBucket"):
        yield Request(role, f"s3:{verb}", bucket, TLS | {"s3:prefix": folder.replace("*", "a")})
        return
    adding = {"s3:if-none-match": "*"} if "IfNoneMatch" in thing else {}
    yield Request(role, f"s3:{verb}", f"{bucket}/{folder.replace('*', 'a')}", TLS | adding)
    context = {"kms:ViaService": f"s3.{REGION}.amazonaws.com", "kms:EncryptionContext:aws:s3:arn": bucket}
    if verb != "DeleteObject":
        yield from on_key(account, role, context, WRITE if verb == "PutObject" else READ)


def on_table(account: Account, role: str, verb: str, thing: list[str]) -> Iterator[Request]:
    """amazondynamodb/latest/developerguide/encryption.usagenotes.html: who uses a table uses its key through it."""
    table = account.find("AWS::DynamoDB::Table", thing[0].title())
    yield Request(role, f"dynamodb:{verb}", f"{table}/index/{thing[1]}" if len(thing) > 1 else table)
    context = {"kms:ViaService": f"dynamodb.{REGION}.amazonaws.com"}
    context["kms:EncryptionContext:aws:dynamodb:tableName"] = table.rpartition("/")[2]
    context["kms:EncryptionContext:aws:dynamodb:subscriberId"] = ACCOUNT
    yield from on_key(account, role, context, READ)


def on_machine(account: Account, role: str, verb: str, thing: list[str]) -> Iterator[Request]:
    """Who starts an execution, or looks at one, uses the key for its machine."""
    machine = account.find("AWS::StepFunctions::StateMachine", thing[0].title())
    executions = f"{machine.replace(':stateMachine:', ':execution:')}:a"
    changes = verb in ("StartExecution", "SendTaskSuccess")
    yield Request(role, f"states:{verb}", machine if changes else executions)
    context = {"kms:EncryptionContext:aws:states:stateMachineArn": machine}
    yield from on_key(account, role, context, *((READ, WRITE) if changes else (READ,)))


def on_queue(account: Account, role: str, verb: str, thing: list[str]) -> Iterator[Request]:
    """A batch of messages is allowed as one message is."""
    queue = account.find("AWS::SQS::Queue", "DocumentsWaiting")
    yield Request(role, f"sqs:{verb.removesuffix('Batch')}", queue, TLS)
    if verb.startswith("Send"):
        yield from on_key(account, role, encryption_of(queue), READ, WRITE)


def on_bus(account: Account, role: str, verb: str, thing: list[str]) -> Iterator[Request]:
    yield Request(role, f"events:{verb}", account.settings("publish_report")["GATE_EVENT_BUS"])


def on_bedrock(account: Account, role: str, verb: str, thing: list[str]) -> Iterator[Request]:
    """What is asked for is the model, the profile, or the guardrail that a function is told of."""
    agent, setting = {
        "model": ("verify_claims", "MODEL"),
        "embedder": ("retrieve_evidence", "EMBEDDER"),
        "images": ("collect_vision_evidence", "IMAGES"),
    }[thing[0]]
    model = account.settings(agent)[f"GATE_{setting}"].removeprefix("bedrock:")
    for resource, context in behind(model):
        yield Request(role, "bedrock:InvokeModel", resource, context)
    for setting in ("GATE_GUARDRAIL", "GATE_GROUNDING_GUARDRAIL") if thing[0] == "model" else ():
        if guardrail := account.settings(agent).get(setting):
            id = guardrail.rpartition(":")[0]
            whole = id if id.startswith("arn:") else f"arn:aws:bedrock:{REGION}:{ACCOUNT}:guardrail/{id}"
            yield Request(role, "bedrock:ApplyGuardrail", whole)


def behind(model: str) -> Iterator[tuple[str, dict[str, str]]]:
    """What Bedrock checks of a call: the profile, and the model wherever it routes to, called through it
    (bedrock/latest/userguide/inference-profiles-prereq.html, …/global-cross-region-inference.html)."""
    name = model.rpartition("/")[2]
    if ":application-inference-profile/" in model:
        yield model, {}
        yield "arn:aws:bedrock:us-west-2::foundation-model/any.model", {"bedrock:InferenceProfileArn": model}
        return
    geography, _, bare = name.partition(".")
    if geography not in ROUTES:
        yield (model if model.startswith("arn:") else f"arn:aws:bedrock:{REGION}::foundation-model/{model}"), {}
        return
    profile = f"arn:aws:bedrock:{REGION}:{ACCOUNT}:inference-profile/{name}"
    yield profile, {}
    for region in ROUTES[geography]:
        yield f"arn:aws:bedrock:{region}::foundation-model/{bare}", {"bedrock:InferenceProfileArn": profile}


ROUTES: dict[str, tuple[str, ...]] = {
    "us": ("us-east-1", "us-east-2", "us-west-2"),
    "eu": ("eu-central-1", "eu-north-1", "eu-west-1", "eu-west-3"),
    "apac": ("ap-northeast-1", "ap-south-1", "ap-southeast-2"),
    "global": ("", REGION),
}
"""Where profiles of a geography route to; a global one asks for the model in no region and in the caller's."""


def on_comprehend(account: Account, role: str, verb: str, thing: list[str]) -> Iterator[Request]:
    """Detection has no resources of its own."""
    yield Request(role, f"comprehend:{verb}", "*")


def on_secret(account: Account, role: str, verb: str, thing: list[str]) -> Iterator[Request]:
    """The secret stands outside of the deployment; the account's own key for secrets lets in who may read them
    (secretsmanager/latest/userguide/security-encryption.html)."""
    yield Request(role, f"secretsmanager:{verb}", account.settings("tell_reviewers")["GATE_REVIEW_WEBHOOK"])


def on_search(account: Account, agent: str, role: str) -> Iterator[Request]:
    """A base is asked by its ARN. Other searches are signed requests of ours, which no SDK makes: a domain lets
    identities in, a collection also asks its own policy
    (opensearch-service/latest/developerguide/serverless-data-access.html)."""
    uses = set(BY_NAME[agent].uses) & {Use.SEARCH, Use.INDEX}
    service = account.settings(agent).get("GATE_SEARCH_SERVICE", "")
    if uses and (secret := account.settings(agent).get("GATE_SEARCH_SECRET")):
        yield Request(role, "secretsmanager:GetSecretValue", secret)
    if Use.SEARCH in uses and account.settings(agent)["GATE_SEARCH"] == "knowledge-base":
        base = account.settings("load_transcript")["GATE_INDEX"]
        yield Request(role, "bedrock:Retrieve", f"arn:aws:bedrock:{REGION}:{ACCOUNT}:knowledge-base/{base}")
    if not uses or not service:
        return
    if service == "es":
        for verb in ("Get", "Post", *(("Put", "Delete") if Use.INDEX in uses else ())):
            yield Request(role, f"es:ESHttp{verb}", f"{account.search}/trusted_docs/_search")
        return
    yield Request(role, "aoss:APIAccessAll", account.search)
    for policy in account.properties("AWS::OpenSearchServerless::AccessPolicy"):
        writes = ("CreateIndex", "UpdateIndex", "WriteDocument") if Use.INDEX in uses else ()
        for verb in ("DescribeIndex", "ReadDocument", *writes):
            yield Request(role, f"aoss:{verb}", f"index/{policy['Name']}/trusted_docs")


def on_ledger(account: Account, agent: str, role: str) -> Iterator[Request]:
    """Entries of decisions: found, read, and added by those who keep them, each sealed by a key that nobody reads."""
    told = account.settings(agent)
    if not told.get("GATE_LEDGER"):
        return
    bucket = f"arn:aws:s3:::{told['GATE_LEDGER'].removeprefix('s3://')}"
    context = {"kms:ViaService": f"s3.{REGION}.amazonaws.com", "kms:EncryptionContext:aws:s3:arn": bucket}
    yield Request(role, "s3:ListBucket", bucket, TLS)
    yield Request(role, "s3:GetObject", f"{bucket}/a", TLS)
    yield Request(role, "s3:PutObject", f"{bucket}/a", TLS | {"s3:if-none-match": "*"})
    yield from on_key(account, role, context, READ, WRITE)
    yield Request(role, "kms:GenerateMac", told["GATE_LEDGER_KEY"])


BY_SERVICE: dict[str, Callable[[Account, str, str, list[str]], Iterator[Request]]] = {
    "bedrock-runtime": on_bedrock,
    "comprehend": on_comprehend,
    "dynamodb": on_table,
    "events": on_bus,
    "s3": on_s3,
    "secretsmanager": on_secret,
    "sqs": on_queue,
    "stepfunctions": on_machine,
}
