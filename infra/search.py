"""Where the corpus is searched: an endpoint that is there, a Serverless collection, or a domain; by one property."""

from __future__ import annotations

import json
from collections.abc import Sequence

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_opensearchserverless as serverless
from aws_cdk import aws_opensearchservice as opensearch
from constructs import Construct

from .props import DomainSearch, ExistingSearch, GateProps, ServerlessSearch


class Search(Construct):
    """Attributes:
    endpoint: `https://…`.
    service: who signs requests: `es`, `aoss`, or empty.
    resource_arn: what the functions may call; None where requests are not signed.
    """

    endpoint: str
    service: str
    resource_arn: str | None

    def __init__(self, scope: Construct, id: str, *, props: GateProps, key: kms.IKey) -> None:
        super().__init__(scope, id)
        self._collection: str | None = None
        wanted = props.search
        if isinstance(wanted, ExistingSearch):
            self.endpoint, self.service, self.resource_arn = wanted.endpoint, wanted.service, wanted.resource_arn
        elif isinstance(wanted, ServerlessSearch):
            self._make_collection(wanted, key)
        else:
            self._make_domain(wanted, props, key)

    def _make_collection(self, wanted: ServerlessSearch, key: kms.IKey) -> None:
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
            policy=json.dumps(
                [{"Rules": [{"ResourceType": "collection", "Resource": resource}], "AllowFromPublic": wanted.public}]
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
        collection.add_resource_dependency(group)
        collection.add_resource_dependency(network)
        self._collection = name
        self.endpoint, self.service, self.resource_arn = (
            collection.attr_collection_endpoint,
            "aoss",
            collection.attr_arn,
        )

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
            zone_awareness=opensearch.ZoneAwarenessConfig(enabled=wanted.nodes > 1, availability_zone_count=2)
            if wanted.nodes > 1
            else None,
            encryption_at_rest=opensearch.EncryptionAtRestOptions(enabled=True, kms_key=key),
            node_to_node_encryption=True,
            enforce_https=True,
            tls_security_policy=opensearch.TLSSecurityPolicy.TLS_1_2_PFS,
            vpc=props.vpc,
            vpc_subnets=[props.subnets] if props.vpc and props.subnets else None,
            removal_policy=props.removal_policy,
        )
        self.endpoint = f"https://{domain.domain_endpoint}"
        self.service, self.resource_arn = "es", domain.domain_arn

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
