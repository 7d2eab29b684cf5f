"""What docs/deploy.md has for "private, with a key and a domain that are there", deployed by its commands as written.

Only what the page gives as an example is put in place of it: the ids of the account that is deployed into.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import time
from collections.abc import Iterator

import pytest

from tests.iam.variants import DEPLOY, policy_of_imported_key
from tests.integration.test_construct_wheel import UV, build_wheel
from tests.stubs import aws, converse
from tests.stubs.cdk_cli import cdk_in
from tests.stubs.deployed import Deployed

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
PART = DEPLOY.read_text(encoding="utf-8").partition("### Private, with a key and a domain that are there")[2]
FACT = "Item 1 weighs 3 grams."


def what_is_there(url: str) -> dict[str, str]:
    """Make VPC, key and domain as their owners have; what the page has as an example, and what it is here."""
    ec2, kms, search = (aws.client(service, url) for service in ("ec2", "kms", "opensearch"))
    vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    made = {"vpc-0a1b2c3d4e5f60718": vpc}
    for number, zone in enumerate(("us-east-1a", "us-east-1b")):
        subnet = ec2.create_subnet(VpcId=vpc, CidrBlock=f"10.0.{number}.0/24", AvailabilityZone=zone)["Subnet"]
        table = ec2.create_route_table(VpcId=vpc)["RouteTable"]["RouteTableId"]
        ec2.associate_route_table(RouteTableId=table, SubnetId=subnet["SubnetId"])
        made[f"subnet-{number}a1b2c3d4e5f60718"] = subnet["SubnetId"]
        made[f"rtb-{number}a1b2c3d4e5f60718"] = table
    group = ec2.create_security_group(GroupName="domain", Description="of the domain", VpcId=vpc)
    made["sg-0a1b2c3d4e5f60718"] = group["GroupId"]
    policy = json.dumps({"Version": "2012-10-17", "Statement": policy_of_imported_key()})
    made["1234abcd-12ab-34cd-56ef-1234567890ab"] = kms.create_key(Policy=policy)["KeyMetadata"]["KeyId"]
    search.create_domain(DomainName="corpus")
    return made


@pytest.fixture(scope="module")
def private(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    """The app of the page in a folder of its own, with the wheel of the construct, by the commands of the page."""
    folder = tmp_path_factory.mktemp("private")
    (folder / "functions").mkdir()
    packages = folder / "packages"
    wheel = build_wheel(folder)
    subprocess.run([UV, "pip", "install", "--quiet", "--no-deps", "--target", str(packages), str(wheel)], check=True)
    (app,) = re.findall(r"```python\n(.*?)```", PART.partition("\n## ")[0], re.DOTALL)
    commands = [shlex.split(one)[1:] for one in re.findall(r"`(cdk [^`]+)`", PART.partition("```")[0])]
    assert [command[0] for command in commands] == ["bootstrap", "deploy"]
    with converse.running() as model:
        services = {"AWS_ENDPOINT_URL_BEDROCK_RUNTIME": model.url, "GATE_HOME": str(folder / "home")}
        with aws.running(folder / "functions", services) as (url, workers):
            for example, there in what_is_there(url).items():
                assert example in app
                app = app.replace(example, there)
            (folder / "app.py").write_text(app, encoding="utf-8")
            workers.environment |= {"GATE_SEARCH": "embedded", "GATE_SEARCH_SERVICE": ""}
            made = Deployed(url, workers, folder, model)
            for command in commands:
                # Nobody sits here to say yes; moto makes no change set that can be looked at.
                answers = ("--require-approval", "never", "--method=direct") if command[0] == "deploy" else ()
                began = time.monotonic()
                cdk_in(folder, *command, *answers, url=url, packages=packages)
                print(f"cdk {command[0]}: {time.monotonic() - began:.0f} s")
            made.look()
            yield made


def test_an_answer_is_checked_by_what_was_deployed(private: Deployed) -> None:
    document = json.dumps({"id": "d1", "content": FACT}) + "\n"
    taken = private.call("ingest_corpus", private.upload("corpora/trusted_docs/items.jsonl", document))
    assert taken["indexed"] == 1, taken
    for text, outcome in ((FACT, "pass"), ("Item 1 weighs 900 tonnes.", "block")):
        started = private.call("start_check", private.upload(f"transcripts/{outcome}.md", text))
        assert private.ended("MachineArn", started["run_id"])["status"] == "SUCCEEDED"
        assert private.report(started["run_id"])["outcome"] == outcome


def test_every_function_stands_in_the_subnets_that_are_there_and_is_let_in_by_the_domain(private: Deployed) -> None:
    ec2 = aws.client("ec2", private.url)
    app = (private.folder / "app.py").read_text(encoding="utf-8")
    subnets, (domain,) = set(re.findall(r"subnet-\w+", app)), re.findall(r"sg-\w+", app)
    every = private.functions.list_functions(MaxItems=50)["Functions"]
    assert len(every) > 15
    assert {name for one in every for name in one["VpcConfig"]["SubnetIds"]} == subnets
    (rule,) = ec2.describe_security_groups(GroupIds=[domain])["SecurityGroups"][0]["IpPermissions"]
    (group,) = {name for one in every for name in one["VpcConfig"]["SecurityGroupIds"]}
    assert [one["GroupId"] for one in rule["UserIdGroupPairs"]] == [group]
    assert (rule["FromPort"], rule["ToPort"]) == (443, 443)


def test_what_is_stored_is_encrypted_by_the_key_that_is_there(private: Deployed) -> None:
    app = (private.folder / "app.py").read_text(encoding="utf-8")
    (key,) = re.findall(r"arn:aws:kms:[^\"]+", app)
    for bucket in ("UploadsBucket", "BlobsBucket"):
        said = private.s3.get_bucket_encryption(Bucket=private.outputs[bucket])["ServerSideEncryptionConfiguration"]
        assert said["Rules"][0]["ApplyServerSideEncryptionByDefault"]["KMSMasterKeyID"] == key
