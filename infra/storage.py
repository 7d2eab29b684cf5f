"""What outlives a deployment: the key, the buckets, the table of budgets."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from constructs import Construct

from .props import GateProps
from .rights.key_policy import policy_of_key, service_statements

POLICY_KEY = "config/policy.json"
TRANSCRIPTS, CORPUS = "transcripts/", "corpora/"
BY_FORM = f"{TRANSCRIPTS}by-form/"
"""Where callers of the API upload."""


class Storage(Construct):
    """Attributes:
    key: encrypts all of it, logs included.
    uploads: versioned; people upload to `transcripts/` and `corpora/<index>/`; the policy is `config/policy.json`.
    blobs: `runs/`, `reports/` and `cache/`, written by the gate alone.
    spending: table of tokens spent by run.
    budgets: the same; None where there is no budget.
    documents: which version of each document a corpus holds.
    reviews: runs that wait for a person, and what people decided.
    ledger, ledger_key: entries of decisions, each written once, and the key that seals them, which nobody can read;
        None where no ledger is kept.
    """

    def __init__(self, scope: Construct, id: str, *, props: GateProps) -> None:
        super().__init__(scope, id)
        self._props = props
        self.key = self._let_in(props.key) if props.key else self._make_key()
        access_logs = None if props.uploads and props.blobs else self._access_logs()
        self.uploads = props.uploads or self._make_uploads(access_logs)
        self.blobs = props.blobs or self._make_blobs(access_logs)
        # It costs nothing while it is empty. Were it not made, a deployed gate, which imports it, could not be told to
        # count nothing.
        self.spending = self._make_table("Budgets", "run_id", expires="expires")
        self.budgets = self.spending if props.counts_spending else None
        self.documents = self._make_table("Documents", "corpus", "document")
        self.reviews = self._make_reviews()
        self.ledger = self._make_ledger(access_logs) if props.ledger_days else None
        self.ledger_key = self._make_sealing_key() if props.ledger_days else None

    def _make_key(self) -> kms.Key:
        key = kms.Key(self, "Key", enable_key_rotation=True, removal_policy=self._props.removal_policy)
        # CDK adds to a key what its services may do, for every account: this policy is the whole one.
        resource = key.node.default_child
        assert isinstance(resource, kms.CfnKey)
        resource.key_policy = policy_of_key(cdk.Stack.of(self))
        return key

    def _let_in(self, key: kms.IKey) -> kms.IKey:
        """Let AWS's services use a key of one's own; of one from elsewhere its owner must."""
        added = [key.add_to_resource_policy(one).statement_added for one in service_statements(cdk.Stack.of(self))]
        if not all(added):
            text = "key: its policy is not written here, and needs what docs/deploy.md has under `A key of your own`"
            cdk.Annotations.of(self).add_warning_v2("gate:key", text)
        # CDK lets EventBridge use a key of a queue or topic for every account, unless the key is not its own to change.
        return kms.Key.from_key_arn(self, "Given", key.key_arn)

    def _access_logs(self) -> s3.Bucket:
        return s3.Bucket(
            self,
            "AccessLogs",
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            encryption=s3.BucketEncryption.S3_MANAGED,
            enforce_ssl=True,
            lifecycle_rules=[s3.LifecycleRule(expiration=cdk.Duration.days(90))],
            removal_policy=self._props.removal_policy,
        )

    def _make_uploads(self, access_logs: s3.IBucket | None) -> s3.Bucket:
        bucket = self._bucket(
            "Uploads",
            access_logs,
            versioned=True,
            lifecycle_rules=[
                s3.LifecycleRule(
                    noncurrent_version_expiration=cdk.Duration.days(self._props.runs_expire_days),
                    abort_incomplete_multipart_upload_after=cdk.Duration.days(7),
                ),
                self._expiry(BY_FORM, self._props.runs_expire_days),
            ],
            cors=[s3.CorsRule(allowed_methods=[s3.HttpMethods.POST], allowed_origins=pages, max_age=3_600)]
            if (pages := list(self._props.cors_origins))
            else None,
        )
        # The L2's flag for this adds a custom resource with a function of its own; the property needs none.
        resource = bucket.node.default_child
        assert isinstance(resource, s3.CfnBucket)
        events = "NotificationConfiguration.EventBridgeConfiguration.EventBridgeEnabled"
        resource.add_property_override(events, True)
        return bucket

    def _make_blobs(self, access_logs: s3.IBucket | None) -> s3.Bucket:
        rules = [self._expiry("runs/", self._props.runs_expire_days), self._expiry("cache/", 180)]
        if self._props.reports_expire_days:
            rules.append(self._expiry("reports/", self._props.reports_expire_days))
        return self._bucket("Blobs", access_logs, versioned=False, lifecycle_rules=rules)

    def _make_ledger(self, access_logs: s3.IBucket | None) -> s3.Bucket:
        kept = cdk.Duration.days(self._props.ledger_days)
        locked = s3.ObjectLockRetention.compliance(kept)
        return self._bucket(
            "Ledger", access_logs, versioned=True, lifecycle_rules=[], object_lock_default_retention=locked
        )

    def _make_sealing_key(self) -> kms.Key:
        return kms.Key(
            self,
            "LedgerKey",
            key_spec=kms.KeySpec.HMAC_256,
            key_usage=kms.KeyUsage.GENERATE_VERIFY_MAC,
            removal_policy=self._props.removal_policy,
        )

    @staticmethod
    def _expiry(prefix: str, days: int) -> s3.LifecycleRule:
        return s3.LifecycleRule(prefix=prefix, expiration=cdk.Duration.days(days))

    def _bucket(
        self,
        id: str,
        access_logs: s3.IBucket | None,
        *,
        versioned: bool,
        lifecycle_rules: list[s3.LifecycleRule],
        object_lock_default_retention: s3.ObjectLockRetention | None = None,
        cors: list[s3.CorsRule] | None = None,
    ) -> s3.Bucket:
        return s3.Bucket(
            self,
            id,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            bucket_key_enabled=True,
            encryption=s3.BucketEncryption.KMS,
            cors=cors,
            encryption_key=self.key,
            enforce_ssl=True,
            minimum_tls_version=1.2,
            lifecycle_rules=lifecycle_rules,
            object_lock_default_retention=object_lock_default_retention,
            object_lock_enabled=True if object_lock_default_retention else None,
            removal_policy=self._props.removal_policy,
            server_access_logs_bucket=access_logs,
            server_access_logs_prefix=f"{id.lower()}/",
            versioned=versioned,
        )

    def _make_reviews(self) -> dynamodb.Table:
        """What waits stands in an index of its own: the queue is read without the rest."""
        table, string = self._make_table("Reviews", "run", expires="expires"), dynamodb.AttributeType.STRING
        table.add_global_secondary_index(
            index_name="waiting",
            partition_key=dynamodb.Attribute(name="queue", type=string),
            sort_key=dynamodb.Attribute(name="run", type=string),
        )
        return table

    def _make_table(
        self, id: str, key: str, second: str | None = None, *, expires: str | None = None
    ) -> dynamodb.Table:
        """A table with keys that are strings."""
        string = dynamodb.AttributeType.STRING
        return dynamodb.Table(
            self,
            id,
            partition_key=dynamodb.Attribute(name=key, type=string),
            sort_key=dynamodb.Attribute(name=second, type=string) if second else None,
            billing_mode=dynamodb.BillingMode.PAY_PER_REQUEST,
            encryption=dynamodb.TableEncryption.CUSTOMER_MANAGED,
            encryption_key=self.key,
            point_in_time_recovery_specification=dynamodb.PointInTimeRecoverySpecification(
                point_in_time_recovery_enabled=True
            ),
            removal_policy=self._props.removal_policy,
            time_to_live_attribute=expires,
        )
