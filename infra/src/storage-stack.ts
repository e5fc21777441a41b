import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ArchiveAnalytics } from './archive-analytics.ts';
import { Buckets, FILES_PREFIX } from './buckets.ts';
import { ManagedInstances } from './managed-instances.ts';
import { Parameters } from './parameters.ts';
import type { Settings } from './settings.ts';
import { Tables } from './tables.ts';

/** Files, tables for other programs, named parameters, and events of managed instances. */
export class StorageStack extends Stack {
  readonly buckets: Buckets;
  readonly tables: Tables;
  /** Undefined if servers read archived months themselves. */
  readonly analytics: ArchiveAnalytics | undefined;
  /** Undefined unless managed instances of Systems Manager appear as devices. */
  readonly managedInstances: ManagedInstances | undefined;

  constructor(scope: Construct, id: string, settings: Pick<Settings, 'analytics' | 'runCommand'>) {
    super(scope, id, { description: 'Device Portal: files, tables, and parameters' });
    this.buckets = new Buckets(this, 'Buckets');
    this.tables = new Tables(this, 'Tables');
    new Parameters(this, 'Parameters');
    this.analytics =
      settings.analytics === 'athena'
        ? new ArchiveAnalytics(this, 'Analytics', this.buckets.files)
        : undefined;
    this.managedInstances =
      settings.runCommand === 'ssm' ? new ManagedInstances(this, 'ManagedInstances') : undefined;
  }

  get serverSettings(): Readonly<Record<string, string>> {
    const { softwareVersions, deviceVersions, geolocations } = this.tables;
    return {
      DEVICEPORTAL_FILES: `s3://${this.buckets.files.bucketName}/${FILES_PREFIX}`,
      DEVICEPORTAL_SOFTWARE_VERSION_TABLE: softwareVersions.tableName,
      DEVICEPORTAL_DEVICE_VERSION_TABLE: deviceVersions.tableName,
      DEVICEPORTAL_GEOLOCATION_TABLE: geolocations.tableName,
      DEVICEPORTAL_AUDIT_ANCHOR_S3: `s3://${this.buckets.anchors.bucketName}`,
      DEVICEPORTAL_PARAMETER_STORE: 'ssm',
      ...this.analytics?.serverSettings,
      ...this.managedInstances?.serverSettings,
    };
  }
}
