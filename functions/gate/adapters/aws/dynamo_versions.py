"""Which version of each document a corpus holds, in DynamoDB, shared by every function that takes documents in."""

from __future__ import annotations

import hashlib
import re
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence

from botocore.exceptions import ClientError

from gate.adapters.aws.clients import client_of
from gate.adapters.aws.sdk_errors import code_of, translated
from gate.ports import DocumentVersion

PAGE = 100
"""Keys that one request may ask for."""
TABLE = "the table of documents"
Values = Mapping[str, str | float]
"""By the names that an expression has for them."""


class DynamoVersions:
    """`DocumentVersions` in a table with the string keys `corpus` and `document`; one conditional update a change.

    A search that takes the place of another holds nothing yet: what each holds stands under keys of its own, so that
    the new one is filled from the bucket, and the former one, where a change is taken back, from where it was.

    Args:
        search: where the corpus lives.

    Raises:
        SettingsError: the table may not be used, or there are no credentials.
        StorageUnavailableError: try again later.
    """

    def __init__(self, table: str, region: str = "", *, search: str = "") -> None:
        self._name = table
        self._at = f"@{hashlib.sha256(search.rstrip('/').encode()).hexdigest()[:16]}" if search else ""
        self._client = client_of("dynamodb", region, called=TABLE)

    def claim(self, corpus: str, document: str, seconds: float) -> str:
        """See `DocumentVersions`."""
        claim, now = uuid.uuid4().hex, time.time()
        free = "attribute_not_exists(#until) OR #until < :now"
        values: Values = {":claim": claim, ":until": now + seconds, ":now": now}
        return claim if self._update(corpus, document, "SET #claim = :claim, #until = :until", free, values) else ""

    def note(self, corpus: str, found: DocumentVersion, claim: str) -> bool:
        """See `DocumentVersions`."""
        change = "SET #version = :version, #sequencer = :sequencer, #whole = :whole"
        about: Values = {":version": found.version, ":sequencer": found.sequencer, ":whole": int(found.is_whole)}
        return self._update(corpus, found.document, change, "#claim = :claim", {**about, ":claim": claim})

    def extend(self, corpus: str, document: str, claim: str, seconds: float) -> bool:
        """See `DocumentVersions`."""
        values: Values = {":until": time.time() + seconds, ":claim": claim}
        return self._update(corpus, document, "SET #until = :until", "#claim = :claim", values)

    def release(self, corpus: str, document: str, claim: str) -> None:
        """See `DocumentVersions`."""
        self._update(corpus, document, "REMOVE #claim, #until", "#claim = :claim", {":claim": claim})

    def known(self, corpus: str, documents: Sequence[str]) -> dict[str, DocumentVersion]:
        """See `DocumentVersions`."""
        found: dict[str, DocumentVersion] = {}
        names = list(dict.fromkeys(documents))
        for start in range(0, len(names), PAGE):
            wanted = {
                self._name: {
                    "Keys": [self._key(corpus, each) for each in names[start : start + PAGE]],
                    "ConsistentRead": True,
                }
            }
            while wanted:
                with translated(TABLE):
                    answer = self._client.batch_get_item(RequestItems=wanted)
                items = answer["Responses"].get(self._name, [])
                found |= {each.document: each for item in items if (each := _version(item))}
                wanted = answer.get("UnprocessedKeys") or {}
        return found

    def every(self, corpus: str) -> Iterator[DocumentVersion]:
        """See `DocumentVersions`."""
        asked = {
            "KeyConditionExpression": "corpus = :corpus",
            "ExpressionAttributeValues": {":corpus": {"S": f"{corpus}{self._at}"}},
        }
        with translated(TABLE):
            pages = self._client.get_paginator("query").paginate(TableName=self._name, ConsistentRead=True, **asked)
            for page in pages:
                yield from (each for item in page["Items"] if (each := _version(item)))

    def _update(self, corpus: str, document: str, change: str, condition: str, values: Values) -> bool:
        """Change an item where the condition holds; says whether it did. `#` stands before the name of an attribute,
        since some are words of the language of expressions."""
        typed = {key: {"S": value} if isinstance(value, str) else {"N": str(value)} for key, value in values.items()}
        with translated(TABLE):
            try:
                self._client.update_item(
                    TableName=self._name,
                    Key=self._key(corpus, document),
                    UpdateExpression=change,
                    ConditionExpression=condition,
                    ExpressionAttributeNames={name: name[1:] for name in re.findall(r"#\w+", f"{change} {condition}")},
                    ExpressionAttributeValues=typed,
                )
            except ClientError as error:
                if code_of(error) != "ConditionalCheckFailedException":
                    raise
                return False
        return True

    def _key(self, corpus: str, document: str) -> dict[str, dict[str, str]]:
        return {"corpus": {"S": f"{corpus}{self._at}"}, "document": {"S": document}}


def _version(item: Mapping[str, Mapping[str, str]]) -> DocumentVersion | None:
    """An item that nothing was noted in is only a claim."""
    if "whole" not in item:
        return None
    return DocumentVersion(
        item["document"]["S"], item["version"]["S"], item["sequencer"]["S"], bool(int(item["whole"]["N"]))
    )
