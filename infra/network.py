"""Where functions run inside of a VPC: one group for all of them, and the endpoints of services that they call."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from .props import ExistingSearch, GateProps, KnowledgeBaseSearch

HTTPS = ec2.Port.tcp(443)


class Network(Construct):
    """Attributes:
    vpc: of the functions; None: they run outside of any.
    functions: the security group of every function; None outside of a VPC.
    """

    def __init__(self, scope: Construct, id: str, *, props: GateProps) -> None:
        super().__init__(scope, id)
        self.vpc, self._props = props.vpc, props
        self.functions: ec2.SecurityGroup | None = None
        if self.vpc is None:
            return
        self.functions = self._group("Functions", "The functions of the reliability gate", outbound=True)
        if props.vpc_endpoints:
            self._make_endpoints(self.vpc)
        elif set(self.chosen(self.vpc).subnet_ids) & {one.subnet_id for one in self.vpc.isolated_subnets}:
            needed = ", ".join(self.services())
            text = f"subnets without a way out: the VPC must have endpoints for {needed}; vpc_endpoints=True makes them"
            cdk.Annotations.of(self).add_warning_v2("gate:isolated", text)

    def chosen(self, vpc: ec2.IVpc, *, one_per_az: bool | None = None) -> ec2.SelectedSubnets:
        """The subnets of the functions, which are also those of what they call inside of the VPC."""
        wanted = self._props.subnets or ec2.SubnetSelection()
        return vpc.select_subnets(
            subnet_type=wanted.subnet_type,
            subnet_group_name=wanted.subnet_group_name,
            subnet_filters=wanted.subnet_filters,
            subnets=wanted.subnets,
            availability_zones=wanted.availability_zones,
            one_per_az=wanted.one_per_az if one_per_az is None else one_per_az,
        )

    def by_zone(self, vpc: ec2.IVpc) -> list[ec2.ISubnet]:
        """One subnet in each zone."""
        return list(self.chosen(vpc, one_per_az=True).subnets)

    def services(self) -> list[str]:
        """AWS's services that the functions call, by the names of their endpoints; OpenSearch is no such one."""
        props = self._props
        return [
            "s3",
            "bedrock-runtime",
            "states",
            "events",
            "dynamodb",
            "sqs",
            *(["comprehend"] if "comprehend" in props.redactor else []),
            *(["kms"] if props.ledger_days else []),
            *(["secretsmanager"] if props.review_webhook else []),
            *(["secretsmanager"] if isinstance(props.search, ExistingSearch) and props.search.secret else []),
            *(["bedrock-agent-runtime"] if isinstance(props.search, KnowledgeBaseSearch) else []),
        ]

    def beside(self, id: str, description: str) -> ec2.SecurityGroup:
        """A group for something that the functions call, and nobody else does."""
        assert self.functions is not None
        group = self._group(id, description, outbound=False)
        group.add_ingress_rule(self.functions, HTTPS, "The functions of the reliability gate")
        return group

    def _group(self, id: str, description: str, *, outbound: bool) -> ec2.SecurityGroup:
        assert self.vpc is not None
        return ec2.SecurityGroup(self, id, vpc=self.vpc, description=description, allow_all_outbound=outbound)

    def _make_endpoints(self, vpc: ec2.IVpc) -> None:
        """Gateways for what has them, which cost nothing; interfaces for the rest."""
        gateways = {
            "s3": ec2.GatewayVpcEndpointAwsService.S3,
            "dynamodb": ec2.GatewayVpcEndpointAwsService.DYNAMODB,
        }
        group = self.beside("Endpoints", "AWS endpoints of the reliability gate")
        subnets = ec2.SubnetSelection(subnets=self.by_zone(vpc))
        for name in self.services():
            if name in gateways:
                ec2.GatewayVpcEndpoint(self, name.title(), vpc=vpc, service=gateways[name], subnets=[subnets])
            else:
                ec2.InterfaceVpcEndpoint(
                    self,
                    name.title().replace("-", ""),
                    vpc=vpc,
                    service=ec2.InterfaceVpcEndpointAwsService(name),
                    subnets=subnets,
                    security_groups=[group],
                    open=False,
                    private_dns_enabled=True,
                )
