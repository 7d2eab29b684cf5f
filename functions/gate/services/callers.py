"""Who calls the API, which tenant they stand for, and which runs are theirs."""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gate import wiring
from gate.catalogue import ROLES, Grant
from gate.errors import InputError

ANONYMOUS = "anonymous"
ANYBODY = "*"
SEPARATORS = re.compile(r"[\s,\[\]]+")
"""Between the groups or scopes of a token: API Gateway hands a list on as one text."""
RERUN = re.compile(r"-r[0-9a-f]{8}$")
"""How the id of a rerun ends; names of executions have 80 characters at most."""
OF_ONE_REQUEST = re.compile(r"[a-z]+-[0-9a-f]{32}")
"""An id with a random number; the hash of an idempotency key is longer."""


class NotTheirsError(InputError):
    """There is no such check for this caller; whether there is one for another is not told."""


class MayNotError(InputError):
    """This caller's token lets them do other things, and not this."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Attributes:
    identity: the IAM principal or the token's subject, as API Gateway has verified it.
    tenant: the tenant that the token names; None where none does.
    grants: what they may do beside looking how a check stands.
    """

    identity: str
    tenant: str | None
    grants: frozenset[Grant] = frozenset()

    @property
    def is_verified(self) -> bool:
        """Whether somebody has verified who this is; on a machine of one's own nobody does."""
        return self.identity != ANONYMOUS

    def run_id(self, idempotency_key: str | None, kind: str = "api") -> str:
        """A new id; for an idempotency key always the same one of its kind, this caller's own."""
        if idempotency_key is None:
            return f"{kind}-{uuid.uuid4().hex}"
        return f"{kind}-{self._hash(idempotency_key)[:40]}"

    def rerun_id(self, run_id: str, idempotency_key: str | None) -> str:
        """An id for `run_id` once more: the same with an ending of its own, which a further rerun replaces."""
        ending = self._hash(idempotency_key, run_id) if idempotency_key else uuid.uuid4().hex
        return f"{RERUN.sub('', run_id)[:70]}-r{ending[:8]}"

    def _hash(self, *parts: str) -> str:
        whole = "\0".join((self.identity, self.tenant or "", *parts))
        return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()

    def config(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """What a run's config says of its caller: who they are, and what of which corpus they may see.

        Args:
            asked: the request's `search`; its `index` may be one that GATE_INDEXES lists.

        Raises:
            InputError: the request names an index or a tenant that it may not name.
        """
        search = {**asked}
        index = search.pop("index", None)
        settings = wiring.current().settings
        allowed = {settings.index, *(name.strip() for name in settings.indexes.split(","))}
        if index is not None and index not in allowed and "*" not in allowed:
            raise InputError("search.index may not be set to this", hint="GATE_INDEXES lists what callers may name")
        named = {"elasticsearch": {"index": index}} if index else {}
        return {"caller": self.identity, "search": self._search(search), **named}

    def _search(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """What was asked for, under the tenant of the token."""
        wanted = asked.get("tenant")
        if self.tenant is None and wanted is not None and not wiring.current().settings.tenant_field:
            raise InputError("search.tenant may not be set here", hint="GATE_TENANT_FIELD allows it")
        if self.tenant is not None and wanted not in (None, self.tenant):
            raise InputError("search.tenant is not the caller's")
        return {**asked, **({"tenant": self.tenant} if self.tenant is not None else {})}

    def must(self, *grants: Grant) -> None:
        """Refuse who has not the role for something.

        Raises:
            MayNotError: they have not.
        """
        for grant in grants:
            if grant not in self.grants:
                hint = f"GATE_{grant.upper()}_ROLE names the group or scope that may"
                raise MayNotError(f"you may not {grant}", hint=hint)

    def as_reviewer(self, named: str) -> str:
        """Who decides: the caller as verified, and only where nobody verifies them the name that they give.

        Raises:
            InputError: a name is given, or missing, where it may not be.
        """
        if self.is_verified and named:
            raise InputError("reviewer may not be set here: who calls is verified")
        if not self.is_verified and not named.strip():
            raise InputError("reviewer: who decides is to be named here")
        return self.identity if self.is_verified else named.strip()

    def must_own(self, run_id: str) -> None:
        """Refuse a run of another tenant, where tokens name tenants.

        Raises:
            NotTheirsError: it is not theirs, or is not there.
        """
        if not wiring.current().settings.tenant_claim:
            return
        store = wiring.current().blob_store()
        data = next((found for key in _owner_keys(run_id) if (found := store.find(key)) is not None), b"{}")
        owner = json.loads(data)
        if owner.get("tenant") != self.tenant or self.tenant is None:
            raise NotTheirsError("there is no check of that id")


def caller_of(event: Mapping[str, Any]) -> Caller:
    """The caller of an API Gateway proxy event.

    Raises:
        InputError: callers must stand for a tenant here, and the token names none.
    """
    context = event.get("requestContext") or {}
    claims = (context.get("authorizer") or {}).get("claims") or {}
    identity = claims.get("sub") or (context.get("identity") or {}).get("userArn") or ANONYMOUS
    claim = wiring.current().settings.tenant_claim
    tenant = str(claims.get(claim) or "") if claim else ""
    if claim and not tenant:
        raise InputError("the token names no tenant", hint=f"claim {claim}")
    return Caller(str(identity), tenant or None, _granted(claims))


def _granted(claims: Mapping[str, Any]) -> frozenset[Grant]:
    """What a caller may do: of tokens what a group or scope of them lets; callers of IAM as their policy has it, of
    which API Gateway has asked about the very path. Who reviews reads what they decide on."""
    if not claims:
        return frozenset(ROLES)
    now = wiring.current().settings
    held = {ANYBODY, *_listed(claims.get("cognito:groups")), *_listed(claims.get("scope"))}
    grants = {grant for grant, setting in ROLES.items() if held & {*_listed(getattr(now, setting))}}
    return frozenset(grants | ({"read"} if "review" in grants else set()))


def _listed(value: object) -> list[str]:
    """The groups or scopes that a text names; `*` among those of a setting stands for every caller, among those of a
    token for nothing."""
    return [one for one in SEPARATORS.split(str(value or "")) if one]


def is_of_one_request(run_id: str) -> bool:
    """Whether no other request can have an id: it is of no idempotency key."""
    return bool(OF_ONE_REQUEST.fullmatch(run_id))


def record_owner(run_id: str, caller: Caller) -> None:
    """Note whose a run is; deleted with its blobs."""
    _note_owner(_owner_keys(run_id)[0], caller.tenant)


def keep_owner(run_id: str, tenant: str) -> None:
    """Note whose a report is, which outlives the blobs of its run."""
    _note_owner(_owner_keys(run_id)[1], tenant)


def _note_owner(key: str, tenant: str | None) -> None:
    wiring.current().blob_store().put(key, json.dumps({"tenant": tenant}).encode())


def is_recorded(run_id: str) -> bool:
    """Whether a caller of the API has started a run of that id."""
    return wiring.current().blob_store().exists(_owner_keys(run_id)[0])


def _owner_keys(run_id: str) -> tuple[str, str]:
    """With a run's blobs, and with its report."""
    return f"runs/{run_id}/owner.json", f"reports/{run_id}/owner.json"
