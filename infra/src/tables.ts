import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
  type TablePropsV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';

/** The three tables in which other programs read and write (docs/guides/tables.md). */
export class Tables extends Construct {
  readonly softwareVersions: TableV2;
  readonly deviceVersions: TableV2;
  readonly geolocations: TableV2;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const table = (
      name: string,
      keys: Pick<TablePropsV2, 'partitionKey' | 'sortKey' | 'timeToLiveAttribute'>,
    ): TableV2 =>
      new TableV2(this, name, {
        ...keys,
        billing: Billing.onDemand(),
        encryption: TableEncryptionV2.awsManagedKey(),
        dynamoStream: StreamViewType.NEW_IMAGE,
        pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
        deletionProtection: true,
        removalPolicy: RemovalPolicy.RETAIN,
      });
    this.softwareVersions = table('SoftwareVersions', {
      partitionKey: text('component'),
      sortKey: text('version'),
    });
    this.deviceVersions = table('DeviceVersions', { partitionKey: text('deviceId') });
    this.geolocations = table('Geolocations', {
      partitionKey: text('deviceId'),
      sortKey: text('at'),
      timeToLiveAttribute: 'expiresAt',
    });
  }

  get all(): readonly TableV2[] {
    return [this.softwareVersions, this.deviceVersions, this.geolocations];
  }
}

const text = (name: string) => ({ name, type: AttributeType.STRING });
