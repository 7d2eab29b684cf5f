"""Where the corpus is searched, by one property: what is there already, a Serverless collection, or a domain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_opensearchserverless as serverless
from aws_cdk import aws_opensearchservice as opensearch
from aws_cdk import aws_ssm as ssm
from constructs import Construct

from gate.settings import KNOWLEDGE_BASE

from .network import Network
from .props import DomainSearch, ExistingSearch, GateProps, KnowledgeBaseSearch, ServerlessSearch

PLACES = "/reliability-gate/{stack}/{name}"
"""Name of the parameter that says where something of a stack is."""
ZONES = 2
"""What a domain of several nodes is spread over."""


@dataclass(frozen=True)
class Reach:
    """What the functions are told of a search; see `Search`."""

    endpoint: str
    service: str
    resource_arn: str | None
    secret_arn: str


class Search(Construct):
    """Attributes:
    endpoint: `https://…`, or `knowledge-base`.
    service: who signs requests: `es`, `aoss`, or empty.
    resource_arn: what the functions may call; None where requests are not signed.
    secret_arn: holds user and password, where there are such; else empty.
    """

    endpoint: str
    service: str
    resource_arn: str | None
    secret_arn: str = ""

    def __init__(self, scope: Construct, id: str, *, props: GateProps, key: kms.IKey, network: Network) -> None:
        super().__init__(scope, id)
        self._network = network
        self._collection: str | None = None
        self._attributes: tuple[str, ...] = ()
        wanted = props.search
        if isinstance(wanted, ExistingSearch):
            self.endpoint, self.service, self.resource_arn = wanted.endpoint, wanted.service, wanted.resource_arn
            self.secret_arn = wanted.secret
        elif isinstance(wanted, KnowledgeBaseSearch):
            self.endpoint, self.service = KNOWLEDGE_BASE, ""
            self.resource_arn = cdk.Stack.of(self).format_arn(
                service="bedrock", resource="knowledge-base", resource_name=wanted.id
            )
        elif isinstance(wanted, ServerlessSearch):
            self._make_collection(wanted, props, key)
        else:
            self._make_domain(wanted, props, key)

    def _make_collection(self, wanted: ServerlessSearch, props: GateProps, key: kms.IKey) -> None:
        name = cdk.Names.unique_resource_name(self, max_length=28).lower()
        resource = [f"collection/{name}"]
        group = serverless.CfnCollectionGroup(
            self,
            "Group",
            name=name,
            generation="NEXTGEN",
            standby_replicas="ENABLED" if wanted.standby else "DISABLED",
            capacity_limits=serverless.CfnCollectionGroup.CapacityLimitsProperty(
                max_indexing_capacity_in_ocu=wanted.max_ocu, max_search_capacity_in_ocu=wanted.max_ocu
            ),
        )
        network = serverless.CfnSecurityPolicy(
            self,
            "Network",
            name=name,
            type="network",
            policy=cdk.Stack.of(self).to_json_string(
                [{"Rules": [{"ResourceType": "collection", "Resource": resource}], **self._reached_from(name, wanted)}]
            ),
        )
        collection = serverless.CfnCollection(
            self,
            "Collection",
            name=name,
            type="VECTORSEARCH",
            collection_group_name=group.name,
            standby_replicas="ENABLED" if wanted.standby else "DISABLED",
            encryption_config=serverless.CfnCollection.EncryptionConfigProperty(kms_key_arn=key.key_arn),
        )
        for needed in (group, network):
            collection.add_resource_dependency(needed)
        for kept in (collection, group, network):
            kept.apply_removal_policy(props.removal_policy)
        self._collection = name
        self._attributes = (collection.attr_collection_endpoint, collection.attr_arn)
        self.endpoint, self.service, self.resource_arn = (
            collection.attr_collection_endpoint,
            "aoss",
            collection.attr_arn,
        )

    def _reached_from(self, name: str, wanted: ServerlessSearch) -> dict[str, object]:
        """From anywhere, or through an endpoint in the functions' VPC."""
        vpc = self._network.vpc
        if wanted.public or vpc is None:
            return {"AllowFromPublic": True}
        group = self._network.beside("Collection", "The collection of the reliability gate")
        endpoint = serverless.CfnVpcEndpoint(
            self,
            "Endpoint",
            name=name,
            vpc_id=vpc.vpc_id,
            subnet_ids=[subnet.subnet_id for subnet in self._network.by_zone(vpc)],
            security_group_ids=[group.security_group_id],
        )
        return {"AllowFromPublic": False, "SourceVPCEs": [endpoint.attr_id]}

    def _make_domain(self, wanted: DomainSearch, props: GateProps, key: kms.IKey) -> None:
        domain = opensearch.Domain(
            self,
            "Domain",
            version=opensearch.EngineVersion.OPENSEARCH_3_3,
            capacity=opensearch.CapacityConfig(
                data_node_instance_type=wanted.instance_type,
                data_nodes=wanted.nodes,
                multi_az_with_standby_enabled=False,
            ),
            ebs=opensearch.EbsOptions(volume_size=wanted.volume_gb, volume_type=ec2.EbsDeviceVolumeType.GP3),
            zone_awareness=opensearch.ZoneAwarenessConfig(enabled=wanted.nodes > 1, availability_zone_count=ZONES)
            if wanted.nodes > 1
            else None,
            encryption_at_rest=opensearch.EncryptionAtRestOptions(enabled=True, kms_key=key),
            node_to_node_encryption=True,
            enforce_https=True,
            tls_security_policy=opensearch.TLSSecurityPolicy.TLS_1_2_PFS,
            **self._inside(wanted),
            removal_policy=props.removal_policy,
        )
        self.endpoint = f"https://{domain.domain_endpoint}"
        self.service, self.resource_arn = "es", domain.domain_arn
        self._attributes = (domain.domain_endpoint, domain.domain_arn)

    def _inside(self, wanted: DomainSearch) -> dict[str, Any]:
        """In the functions' VPC and open to them; a domain takes one subnet for each zone that it is spread over."""
        vpc = self._network.vpc
        if vpc is None:
            return {}
        subnets = self._network.by_zone(vpc)[: min(wanted.nodes, ZONES)]
        group = self._network.beside("Domain", "The search domain of the reliability gate")
        return {"vpc": vpc, "vpc_subnets": [ec2.SubnetSelection(subnets=subnets)], "security_groups": [group]}

    def seen_from(self, scope: Construct) -> Reach:
        """How a stack reaches it: another one's by parameters, which an update of that stack may change.

        An export could not be removed for as long as it is imported, so that no search could take another's place.
        """
        own, seeing = cdk.Stack.of(self), cdk.Stack.of(scope)
        if own is seeing or self.endpoint == KNOWLEDGE_BASE:  # which belongs to no stack
            return Reach(self.endpoint, self.service, self.resource_arn, self.secret_arn)
        seeing.add_stack_dependency(own)
        # Who deployed before this was so imports exports: they stay for as long as what they name does.
        for attribute in self._attributes:
            own.export_value(attribute)
        endpoint = self._told_to(scope, "SearchEndpoint", self.endpoint)
        arn = self._told_to(scope, "SearchArn", self.resource_arn) if self.resource_arn else None
        return Reach(endpoint, self.service, arn, self.secret_arn)

    def _told_to(self, scope: Construct, name: str, value: str) -> str:
        """A value that this stack writes down, as another one reads it; one that is known already is said outright."""
        if not cdk.Token.is_unresolved(value):
            return value
        place = PLACES.format(stack=cdk.Stack.of(self).stack_name, name=name)
        ssm.StringParameter(self, f"{name}Parameter", parameter_name=place, string_value=value)
        return ssm.StringParameter.value_for_string_parameter(scope, place)

    def allow(self, scope: Construct, *, readers: Sequence[iam.IRole], writers: Sequence[iam.IRole]) -> None:
        """Let roles read, or also write, a collection that this construct made: IAM alone does not open it."""
        if self._collection is None:
            return
        read = ["aoss:DescribeIndex", "aoss:ReadDocument"]
        write = [*read, "aoss:CreateIndex", "aoss:UpdateIndex", "aoss:WriteDocument"]
        rules = [self._rule(readers, read), *([self._rule(writers, write)] if writers else [])]
        serverless.CfnAccessPolicy(
            scope,
            "DataAccess",
            name=self._collection,
            type="data",
            policy=cdk.Stack.of(scope).to_json_string(rules),
        )

    def _rule(self, roles: Sequence[iam.IRole], permissions: list[str]) -> dict[str, object]:
        resource = [f"index/{self._collection}/*"]
        return {
            "Principal": [role.role_arn for role in roles],
            "Rules": [{"ResourceType": "index", "Resource": resource, "Permission": permissions}],
        }
