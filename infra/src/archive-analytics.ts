import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { CfnDatabase, CfnTable } from 'aws-cdk-lib/aws-glue';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import {
  archiveColumns,
  archiveTableParameters,
  MONTH_COLUMN,
} from '../../apps/server/src/audit-trail/archive/history/archive-table.ts';
import { locationOfFolder } from '../../apps/server/src/platform/files/file-folders.ts';
import { acknowledge } from './acknowledged-findings.ts';
import { FILES_PREFIX } from './buckets.ts';

const WORKGROUP = 'deviceportal';
const DATABASE = 'deviceportal';
const TABLE = 'audit_trail';
const RESULT_DAYS = 1;
/** 100 GB, about half a dollar. */
const MOST_BYTES_A_QUERY = 100_000_000_000;

/** Athena for archived months of the audit trail: a workgroup, the table of the files, and a bucket of results. */
export class ArchiveAnalytics extends Construct {
  readonly workgroup: CfnWorkGroup;
  readonly results: Bucket;

  constructor(scope: Construct, id: string, files: IBucket) {
    super(scope, id);
    this.results = new Bucket(this, 'Results', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      // Copies of events, which the server reads once.
      lifecycleRules: [{ expiration: Duration.days(RESULT_DAYS) }],
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledge(this.results, 'AwsSolutions-S1');
    this.workgroup = new CfnWorkGroup(this, 'Workgroup', {
      name: WORKGROUP,
      description: 'Device Portal: archived months of the audit trail',
      recursiveDeleteOption: true,
      workGroupConfiguration: {
        enforceWorkGroupConfiguration: true,
        bytesScannedCutoffPerQuery: MOST_BYTES_A_QUERY,
        publishCloudWatchMetricsEnabled: true,
        engineVersion: { selectedEngineVersion: 'Athena engine version 3' },
        resultConfiguration: {
          outputLocation: this.results.s3UrlForObject('results/'),
          encryptionConfiguration: { encryptionOption: 'SSE_S3' },
        },
      },
    });
    this.#createTable(files);
  }

  get serverSettings(): Readonly<Record<string, string>> {
    return {
      DEVICEPORTAL_ANALYTICS_WORKGROUP: WORKGROUP,
      DEVICEPORTAL_ANALYTICS_TABLE: `${DATABASE}.${TABLE}`,
    };
  }

  /** Of the catalog: the database, and the table in it. */
  get catalogArns(): readonly string[] {
    const resources = ['catalog', `database/${DATABASE}`, `table/${DATABASE}/${TABLE}`];
    return resources.map((resource) => Stack.of(this).formatArn({ service: 'glue', resource }));
  }

  get workgroupArn(): string {
    return Stack.of(this).formatArn({
      service: 'athena',
      resource: 'workgroup',
      resourceName: WORKGROUP,
    });
  }

  #createTable(files: IBucket): void {
    const catalogId = Stack.of(this).account;
    const database = new CfnDatabase(this, 'Database', {
      catalogId,
      databaseInput: { name: DATABASE, description: 'Device Portal' },
    });
    const location = locationOfFolder(
      { bucket: files.bucketName, prefix: [FILES_PREFIX] },
      'archive',
    );
    const table = new CfnTable(this, 'Table', {
      catalogId,
      databaseName: DATABASE,
      tableInput: {
        name: TABLE,
        description: 'Archived months of the audit trail',
        tableType: 'EXTERNAL_TABLE',
        parameters: archiveTableParameters({ location }),
        partitionKeys: [{ name: MONTH_COLUMN, type: 'string' }],
        storageDescriptor: {
          columns: archiveColumns.map((name) => ({ name, type: 'string' })),
          location,
          inputFormat: 'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat',
          outputFormat: 'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat',
          serdeInfo: {
            serializationLibrary: 'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe',
          },
        },
      },
    });
    table.addResourceDependency(database);
  }
}
