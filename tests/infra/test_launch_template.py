"""One template with parameters: linted, its calls let through, and created in an account as CloudFormation would."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest

from infra.launch_template import TEMPLATE, pack, write
from tests.iam.deployed_account import Account
from tests.iam.refusals import confused, refused
from tests.infra.templates import Template, functions, of_type
from tests.infra.test_linters import cfn_lint

pytestmark = pytest.mark.infra
ROOT = Path(__file__).parents[2]
LIMIT_BYTES, MOST_RESOURCES = 1_000_000, 500
"""CloudFormation's, of a template that lies in S3."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("launch"), bundled=False).parent


@pytest.fixture(scope="module")
def template(folder: Path) -> Template:
    found: Template = json.loads((folder / TEMPLATE).read_text())
    return found


def test_the_template_has_no_finding_and_fits(folder: Path, template: Template) -> None:
    assert cfn_lint(folder / TEMPLATE) == []
    assert (folder / TEMPLATE).stat().st_size < LIMIT_BYTES
    assert len(template["Resources"]) < MOST_RESOURCES
    assert "Token[" not in json.dumps(template)


def test_every_call_of_a_gate_that_was_launched_is_let_through(template: Template) -> None:
    account = Account(template)
    assert account.settings("verify_claims")["GATE_MODEL"].endswith("inference-profile/us.anthropic.claude-haiku-5-5")
    assert refused(account) == []
    assert confused(account) == []


def test_every_parameter_has_a_heading_and_all_but_the_bucket_a_default(template: Template) -> None:
    groups = template["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"]
    assert {name for group in groups for name in group["Parameters"]} == set(template["Parameters"])
    assert [name for name, one in template["Parameters"].items() if "Default" not in one] == ["AssetsBucket"]
    document = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8").partition("## Without CDK")[2]
    named = set(re.findall(r"`([A-Z]\w+)`", document.partition("\n## ")[0]))
    assert set(template["Parameters"]) <= named


def test_what_functions_are_made_of_is_in_the_bucket_that_a_parameter_names(folder: Path, template: Template) -> None:
    for one in functions(template).values():
        assert one["Code"]["S3Bucket"] == {"Fn::Sub": "${AssetsBucket}"}
        with zipfile.ZipFile(folder / one["Code"]["S3Key"]) as archive:
            assert "verify_claims/handler.py" in archive.namelist()
    keys = [one["Properties"]["Content"]["S3Key"] for one in of_type(template, "AWS::Lambda::LayerVersion").values()]
    assert all((folder / key).is_file() for key in keys)


def test_the_role_of_logs_is_made_where_a_parameter_says_so_and_the_stage_waits_for_it(template: Template) -> None:
    for kind in ("AWS::ApiGateway::Account",):
        ((id, one),) = of_type(template, kind).items()
        assert one["Condition"] == "MakesApiLogRole"
    (stage,) = of_type(template, "AWS::ApiGateway::Stage").values()
    assert stage["Properties"]["Description"]["Fn::If"][:2] == ["MakesApiLogRole", {"Ref": id}]
    (told,) = of_type(template, "AWS::SNS::Subscription").values()
    assert told["Condition"] == "TellsOfAlarms"


def test_the_same_files_are_the_same_archive(tmp_path: Path) -> None:
    (tmp_path / "code" / "a").mkdir(parents=True)
    (tmp_path / "code" / "a" / "b.py").write_text("1")
    for name in ("one", "two"):
        pack(tmp_path / "code", tmp_path / name)
        (tmp_path / "code" / "a" / "b.py").touch()
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
