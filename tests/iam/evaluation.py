"""IAM's evaluation of identity and resource policies with their conditions, as AWS documents it for one account.

A request needs an Allow of its identity or of the resource, and no Deny. A key trusts its own policy alone, which may
leave it to identities; a role is taken by whom its trust policy names. A condition whose key the request does not bring
fails, unless its operator is negated or ends in IfExists. Session policies, boundaries and organisations' policies are
not here; neither are dates and bytes, whose operators are refused by name.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

ACCOUNT = "123456789012"
Statement = Mapping[str, Any]
Context = Mapping[str, str | Sequence[str]]
Test = Callable[[str, str], bool]


@dataclass(frozen=True)
class Request:
    """One call that AWS would be asked to allow.

    Attributes:
        principal: ARN of a role, or name of a service.
        action: `service:Verb`.
        resource: ARN, or `*` for what has none.
        context: condition keys that AWS brings with it; a list where a key has several values.
    """

    principal: str
    action: str
    resource: str
    context: Context = field(default_factory=dict)


def may(request: Request, identity: Sequence[Statement], resource: Sequence[Statement]) -> bool:
    """Whether AWS would let it: `identity` are the role's own policies, `resource` those of what it asks for."""
    own = [one for one in identity if applies(one, request)]
    theirs = [one for one in resource if applies(one, request) and concerns(one, request.principal)]
    if any(one["Effect"] == "Deny" for one in (*own, *theirs)):
        return False
    # A key trusts its own policy alone; one that names the account leaves the decision to identities' policies.
    own_counts = ":kms:" not in request.resource or any(delegates(one, request) for one in resource)
    return bool(theirs or (own and own_counts))


def applies(statement: Statement, request: Request) -> bool:
    """Whether a statement speaks of the action and the resource, under conditions that hold."""
    return (
        named(statement, "Action", request.action.lower(), str.lower)
        and named(statement, "Resource", request.resource, lambda text: filled(text, request.context))
        and holds(statement.get("Condition", {}), request.context)
    )


def named(statement: Statement, element: str, text: str, written: Callable[[str], str]) -> bool:
    """Whether `Action` or `Resource` names it, or its `Not…` does not; a trust policy is about the role it is of."""
    if element in statement:
        return any(matches(written(pattern), text) for pattern in listed(statement[element]))
    others = statement.get(f"Not{element}", ())
    return not any(matches(written(pattern), text) for pattern in listed(others))


def concerns(statement: Statement, who: str) -> bool:
    """Whether a resource's policy speaks of `who` by name, of everybody, or of everybody but some."""
    if "NotPrincipal" in statement:
        return who not in names_in(statement["NotPrincipal"])
    names = names_in(statement["Principal"])
    return "*" in names or who in names


def names_in(principal: Any) -> list[str]:
    """Every name of a principal; an account's number stands for its root."""
    if principal == "*":
        return ["*"]
    names = [str(name) for kind in principal.values() for name in listed(kind)]
    return [f"arn:aws:iam::{name}:root" if re.fullmatch(r"\d{12}", name) else name for name in names]


def delegates(statement: Statement, request: Request) -> bool:
    """Whether a resource's policy lets its account decide, which no service is part of."""
    root = f"arn:aws:iam::{ACCOUNT}:root"
    is_role = request.principal.startswith("arn:")
    return is_role and statement["Effect"] == "Allow" and applies(statement, request) and concerns(statement, root)


def holds(conditions: Mapping[str, Mapping[str, Any]], context: Context) -> bool:
    """Every operator and every key must hold; of a key's values, one."""
    lowered = {key.lower(): value for key, value in context.items()}
    return all(
        compare(operator, lowered.get(key.lower()), [filled(str(value), context) for value in listed(values)])
        for operator, keys in conditions.items()
        for key, values in keys.items()
    )


def compare(operator: str, given: str | Sequence[str] | None, wanted: list[str]) -> bool:
    """One operator on one key; `given` is None where the request does not bring the key.

    Raises:
        ValueError: an operator that is not known here, or several values where AWS documents one: a policy that nobody
            can judge is not let through.
    """
    over, _, rest = operator.rpartition(":")
    bare = rest.removesuffix("IfExists")
    if bare == "Null":
        return (given is None) == (wanted[0].lower() == "true")
    negated = "Not" in bare
    test = TESTS.get(bare.replace("Not", ""))
    if test is None or over not in ("", "ForAnyValue", "ForAllValues"):
        raise ValueError(f"{operator} is not known here")
    if given is None:
        return over == "ForAllValues" or (over == "" and (negated or rest != bare))
    if not over and not isinstance(given, str):
        raise ValueError(f"{operator}: a key of several values needs ForAnyValue or ForAllValues")
    over_all = all if over == "ForAllValues" else any
    return over_all(any(test(want, one) for want in wanted) != negated for one in listed(given))


def matches(pattern: str, text: str) -> bool:
    """`*` and `?` as IAM reads them, over any characters; in `${…}` they are themselves."""
    return compiled(pattern).fullmatch(text) is not None


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The regular expression that a pattern of IAM stands for."""
    parts = re.split(r"(\$\{[*?$]\}|[*?])", pattern)
    return re.compile("".join(WILDCARDS.get(part) or re.escape(part) for part in parts), re.DOTALL)


def arn_matches(pattern: str, arn: str) -> bool:
    """Each of an ARN's six parts for itself: a wildcard does not reach over a colon."""
    wanted, given = pattern.split(":", 5), arn.split(":", 5)
    return len(wanted) == len(given) and all(matches(*pair) for pair in zip(wanted, given, strict=True))


def filled(text: str, context: Context) -> str:
    """A policy's variables filled in; one that the request lacks stays as it is, and matches nothing."""
    lowered = {key.lower(): value for key, value in context.items()}
    return re.sub(r"\$\{([^}]+)\}", lambda found: str(lowered.get(found[1].lower(), found[0])), text)


def listed(value: Any) -> list[Any]:
    """A value that a policy may write alone or in a list."""
    return [value] if isinstance(value, str) or not isinstance(value, Sequence) else list(value)


WILDCARDS = {"*": ".*", "?": ".", "${*}": r"\*", "${?}": r"\?", "${$}": r"\$"}
TESTS: dict[str, Test] = {
    "StringEquals": lambda want, given: given == want,
    "StringEqualsIgnoreCase": lambda want, given: given.lower() == want.lower(),
    "StringLike": matches,
    "ArnLike": arn_matches,
    "ArnEquals": arn_matches,
    "Bool": lambda want, given: given.lower() == want.lower(),
    "NumericEquals": lambda want, given: float(given) == float(want),
    "NumericLessThan": lambda want, given: float(given) < float(want),
    "NumericLessThanEquals": lambda want, given: float(given) <= float(want),
    "NumericGreaterThan": lambda want, given: float(given) > float(want),
    "NumericGreaterThanEquals": lambda want, given: float(given) >= float(want),
    "IpAddress": lambda want, given: ipaddress.ip_address(given) in ipaddress.ip_network(want),
}
"""What an operator asks of the policy's value and the request's; `Not` in its name turns it round."""
