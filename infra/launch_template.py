"""One CloudFormation template with parameters, and what its functions are made of: for teams that run no CDK.

`python -m infra.launch_template FOLDER` (`make template`) writes both. All that FOLDER holds goes into a bucket of the
region of the deployment, which the parameter `AssetsBucket` names.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_apigateway as apigateway
from constructs import Construct, IConstruct

from .api.rest_api import make_log_role
from .app import NAME, context_of_cli, flags
from .gate import ReliabilityGate
from .props import GateProps

PREFIX = "reliability-gate/"
"""Folder of the bucket."""
TEMPLATE = "reliability-gate.template.json"
EPOCH = (1980, 1, 1, 0, 0, 0)
"""Date of every file of an archive, so that the same code is the same archive."""


class LaunchStack(cdk.Stack):
    """The whole gate in one stack; what shapes no resource is a parameter.

    Attributes:
        groups: names of the parameters by heading, as the console shows them.
    """

    def __init__(self, scope: cdk.App, id: str) -> None:
        super().__init__(
            scope,
            id,
            description="LLM Reliability Gate: pass, review or block for what a language model answered",
            synthesizer=cdk.CliCredentialsStackSynthesizer(
                file_assets_bucket_name="${AssetsBucket}", bucket_prefix=PREFIX
            ),
        )
        self.groups: dict[str, list[str]] = {}
        defaults = GateProps()
        self._parameter("Where", "AssetsBucket", "Bucket of this region that holds what `make template` wrote")
        role = self._parameter(
            "Where",
            "ApiLogRole",
            "Make the role by which the APIs of the account and region write logs; false: it is there already",
            default="true",
            allowed_values=["true", "false"],
        )
        profile = self._parameter(
            "Model",
            "ModelProfile",
            "Inference profile of Bedrock that judges claims",
            default=defaults.model,
            allowed_pattern=r"[\w-]+(\.[\w:-]+)+",
        )
        email = self._parameter("People", "AlarmEmail", "Address that is told of alarms; empty: none", default="")
        props = GateProps(
            alarm_email=email.value_as_string,
            api_log_role=False,  # made below, where the parameter says so
            model=self.format_arn(
                service="bedrock", resource="inference-profile", resource_name=profile.value_as_string
            ),
            index=self._parameter(
                "Corpus", "Index", "Name of the index", default=defaults.index, allowed_pattern="[a-z0-9][a-z0-9_.-]*"
            ).value_as_string,
            settings={
                "language": self._parameter(
                    "Corpus", "Language", "Language of the corpus: stemming and stop words", default="english"
                ).value_as_string
            },
            budget_tokens=self._count("Spending", "BudgetTokens", "Tokens of one run", defaults.budget_tokens),
            budget_tenant_day=self._count(
                "Spending", "BudgetTenantDay", "Tokens of one tenant in a day", defaults.budget_tenant_day
            ),
            budget_day=self._count("Spending", "BudgetDay", "Tokens of everybody in a day", defaults.budget_day),
            runs_expire_days=self._count(
                "Keeping", "RunsExpireDays", "Days that values of runs are kept", defaults.runs_expire_days, least=15
            ),
            reports_expire_days=self._count(
                "Keeping", "ReportsExpireDays", "Days that reports are kept", defaults.reports_expire_days
            ),
            throttle_rate=self._count("Calls", "ThrottleRate", "Requests a second", defaults.throttle_rate),
            throttle_burst=self._count("Calls", "ThrottleBurst", "Requests at once", defaults.throttle_burst),
        )
        gate = ReliabilityGate(self, "Gate", props=props)
        self._log_apis(gate, role)
        told = gate.operations.node.find_child("AlarmSubscription")
        is_none = cdk.Fn.condition_equals(email.value_as_string, "")
        self._made_if("TellsOfAlarms", cdk.Fn.condition_not(is_none), told)
        headings = [{"Label": {"default": heading}, "Parameters": names} for heading, names in self.groups.items()]
        self.template_options.metadata = {"AWS::CloudFormation::Interface": {"ParameterGroups": headings}}

    def _parameter(self, heading: str, name: str, description: str, **options: Any) -> cdk.CfnParameter:
        self.groups.setdefault(heading, []).append(name)
        return cdk.CfnParameter(self, name, type=options.pop("type", "String"), description=description, **options)

    def _count(self, heading: str, name: str, description: str, default: int | None, *, least: int = 1) -> Any:
        options = {"type": "Number", "default": default, "min_value": least}
        return self._parameter(heading, name, description, **options).value_as_number

    def _log_apis(self, gate: ReliabilityGate, wanted: cdk.CfnParameter) -> None:
        """The stage waits for the role where that is made, by a word: nothing may depend on what may not be there."""
        logging = Construct(self, "ApiLogs")
        account = make_log_role(logging, gate.props)
        condition = self._made_if("MakesApiLogRole", cdk.Fn.condition_equals(wanted.value_as_string, "true"), logging)
        stage = gate.rest_api.api.deployment_stage.node.default_child
        assert isinstance(stage, apigateway.CfnStage)
        stage.description = cdk.Fn.condition_if(condition.logical_id, account.ref, "LLM Reliability Gate").to_string()

    def _made_if(self, name: str, expression: cdk.ICfnConditionExpression, *made: IConstruct) -> cdk.CfnCondition:
        """Constructs that are made only where a condition holds."""
        condition = cdk.CfnCondition(self, name, expression=expression)
        for resource in (one for each in made for one in each.node.find_all() if isinstance(one, cdk.CfnResource)):
            resource.cfn_options.condition = condition
        return condition


def write(folder: Path, *, bundled: bool = True) -> Path:
    """Write the template, and archives of the functions' code and layers, into a folder; returns the template.

    Args:
        bundled: build the layers; without them the template alone is whole.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        context = context_of_cli() if bundled else flags()
        app = cdk.App(context=context, outdir=made, builtin_cloud_formation_validation=False)
        LaunchStack(app, NAME)
        app.synth()
        manifest = json.loads((Path(made) / f"{NAME}.assets.json").read_text(encoding="utf-8"))
        for asset in manifest["files"].values():
            (destination,) = asset["destinations"].values()
            if asset["source"]["packaging"] == "zip":
                target = folder / PREFIX / str(destination["objectKey"]).removeprefix(PREFIX)
                target.parent.mkdir(exist_ok=True)
                pack(Path(made) / asset["source"]["path"], target)
        shutil.copy(Path(made) / f"{NAME}.template.json", folder / TEMPLATE)
    return folder / TEMPLATE


def pack(folder: Path, target: Path) -> None:
    """An archive of a folder's files, the same for the same files."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(one for one in folder.rglob("*") if one.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), EPOCH)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, path.read_bytes())


def main() -> None:
    """Write into the folder that is named, and say what to do with it."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/template")
    template = write(folder)
    sys.stdout.write(f"{template}; docs/deploy.md says what to do with it\n")


if __name__ == "__main__":
    main()
