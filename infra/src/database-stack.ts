import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { SubnetType } from 'aws-cdk-lib/aws-ec2';
import {
  AuroraPostgresEngineVersion,
  ClusterInstance,
  Credentials,
  DatabaseCluster,
  DatabaseClusterEngine,
  DatabaseSecret,
  ParameterGroup,
} from 'aws-cdk-lib/aws-rds';
import {
  SecretRotation,
  SecretRotationApplication,
  type ISecret,
} from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledged-findings.ts';
import type { NetworkStack } from './network-stack.ts';
import { DATABASE_PORT } from './ports.ts';

export const DATABASE_NAME = 'deviceportal';
/** The role of the servers, which owns nothing. */
export const SERVER_ROLE = 'deviceportal';
const BACKUP_DAYS = 35;
const ROTATION_DAYS = 30;

/** Aurora PostgreSQL with a second instance in another zone, and its two roles. */
export class DatabaseStack extends Stack {
  readonly cluster: DatabaseCluster;
  /** Role that owns the tables; only migrations read it. */
  readonly ownerSecret: ISecret;
  readonly serverSecret: ISecret;

  constructor(scope: Construct, id: string, network: NetworkStack) {
    super(scope, id, { description: 'Device Portal: database' });
    const engine = DatabaseClusterEngine.auroraPostgres({
      version: AuroraPostgresEngineVersion.VER_17_9,
    });
    const ownerSecret = new DatabaseSecret(this, 'OwnerSecret', { username: 'deviceportal_owner' });
    this.cluster = new DatabaseCluster(this, 'Cluster', {
      engine,
      vpc: network.vpc,
      vpcSubnets: { subnetType: SubnetType.PRIVATE_ISOLATED },
      credentials: Credentials.fromSecret(ownerSecret),
      defaultDatabaseName: DATABASE_NAME,
      parameterGroup: new ParameterGroup(this, 'Parameters', {
        engine,
        parameters: { 'rds.force_ssl': '1' },
      }),
      writer: ClusterInstance.serverlessV2('Writer', { enablePerformanceInsights: true }),
      readers: [
        ClusterInstance.serverlessV2('Standby', {
          scaleWithWriter: true,
          enablePerformanceInsights: true,
        }),
      ],
      serverlessV2MinCapacity: 0.5,
      serverlessV2MaxCapacity: 64,
      storageEncrypted: true,
      backup: { retention: Duration.days(BACKUP_DAYS) },
      cloudwatchLogsExports: ['postgresql'],
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.cluster.connections.allowDefaultPortFrom(network.servers, 'Servers');
    acknowledge(this.cluster, 'AwsSolutions-RDS6');
    this.ownerSecret = ownerSecret;
    const serverSecret = new DatabaseSecret(this, 'ServerSecret', { username: SERVER_ROLE });
    this.serverSecret = serverSecret.attach(this.cluster);
    for (const [name, secret] of [
      ['OwnerRotation', this.cluster.secret],
      ['ServerRotation', this.serverSecret],
    ] as const) {
      if (secret === undefined) throw new Error(`${name} has no secret`);
      new SecretRotation(this, name, {
        application: SecretRotationApplication.POSTGRES_ROTATION_SINGLE_USER,
        secret,
        target: this.cluster,
        vpc: network.vpc,
        vpcSubnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS },
        automaticallyAfter: Duration.days(ROTATION_DAYS),
        excludeCharacters: ' %+~`#$&*()|[]{}:;<>?!\'/@"\\',
      });
    }
  }

  get serverSettings(): Readonly<Record<string, string>> {
    return {
      DEVICEPORTAL_DATABASE_HOST: this.cluster.clusterEndpoint.hostname,
      DEVICEPORTAL_DATABASE_PORT: String(DATABASE_PORT),
      DEVICEPORTAL_DATABASE_NAME: DATABASE_NAME,
      DEVICEPORTAL_DATABASE_SECRET_ID: this.serverSecret.secretArn,
      // In the image.
      DEVICEPORTAL_DATABASE_CA_FILE: '/opt/deviceportal/rds-authorities.pem',
    };
  }
}
