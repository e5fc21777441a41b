import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledged-findings.ts';

const OLD_VERSION_DAYS = 30;
const LOG_DAYS = 90;
/** All objects of the installation. */
export const FILES_PREFIX = 'portal';

/** Files of the installation, anchors of its audit trail, and the log of who read them. */
export class Buckets extends Construct {
  readonly files: Bucket;
  /** Blocks of the audit trail, which the server locks: no administrator can delete them. */
  readonly anchors: Bucket;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const common = {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy: RemovalPolicy.RETAIN,
    };
    const log = new Bucket(this, 'AccessLog', {
      ...common,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED,
      lifecycleRules: [{ expiration: Duration.days(LOG_DAYS) }],
    });
    acknowledge(log, 'AwsSolutions-S1');
    this.anchors = new Bucket(this, 'Anchors', {
      ...common,
      versioned: true,
      objectLockEnabled: true,
      serverAccessLogsBucket: log,
      serverAccessLogsPrefix: 'anchors/',
    });
    this.files = new Bucket(this, 'Files', {
      ...common,
      versioned: true,
      serverAccessLogsBucket: log,
      serverAccessLogsPrefix: 'files/',
      lifecycleRules: [
        // The server deletes files itself. A rule that did would leave rows without files.
        { abortIncompleteMultipartUploadAfter: Duration.days(7) },
        // Deleted files can be restored until then. Files about erased people remain as long.
        { noncurrentVersionExpiration: Duration.days(OLD_VERSION_DAYS) },
      ],
    });
  }
}
