import { Aws, Duration, Stack } from 'aws-cdk-lib';
import { SubnetType } from 'aws-cdk-lib/aws-ec2';
import {
  Cluster,
  ContainerInsights,
  FargateService,
  Secret as ContainerSecret,
  type FargateServiceProps,
} from 'aws-cdk-lib/aws-ecs';
import type { Role } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { DnsRecordType, PrivateDnsNamespace } from 'aws-cdk-lib/aws-servicediscovery';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledged-findings.ts';
import { AirBlastRole } from './air-blast-role.ts';
import type { DevicesStack } from './devices-stack.ts';
import { Entrance } from './entrance.ts';
import { grantsOf, SECRETS_PREFIX, serverRoles, type Granted, type ServerRole } from './grants.ts';
import { DATABASE_NAME, SERVER_ROLE, type DatabaseStack } from './database-stack.ts';
import type { IdentityStack } from './identity-stack.ts';
import type { NetworkStack } from './network-stack.ts';
import { HTTP_PORT } from './ports.ts';
import type { RegistryStack } from './registry-stack.ts';
import { createTaskRole, ServerTask } from './server-task.ts';
import type { Settings } from './settings.ts';
import type { StorageStack } from './storage-stack.ts';

export interface PortalProps {
  readonly settings: Settings;
  readonly registry: RegistryStack;
  readonly network: NetworkStack;
  readonly database: DatabaseStack;
  readonly storage: StorageStack;
  /** Undefined if users sign in at the pool of the portal. */
  readonly identity: IdentityStack | undefined;
  /** Undefined if devices connect to the embedded broker. */
  readonly devices: DevicesStack | undefined;
}

/** Size of a task of each role, as a start. */
const SIZES: Readonly<Record<ServerRole, { readonly cpu: number; readonly memoryMiB: number }>> = {
  web: { cpu: 1024, memoryMiB: 2048 },
  identity: { cpu: 512, memoryMiB: 1024 },
  gateway: { cpu: 2048, memoryMiB: 4096 },
  worker: { cpu: 1024, memoryMiB: 2048 },
};

/** The servers by role, the load balancer in front of them, and the tasks that an operator runs. */
export class PortalStack extends Stack {
  readonly cluster: Cluster;
  readonly services: Readonly<Record<ServerRole, FargateService>>;
  readonly entrance: Entrance;
  readonly #props: PortalProps;
  readonly #webRole: Role;
  readonly #airBlastRole: AirBlastRole;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #secrets: Readonly<Record<string, ContainerSecret>>;
  readonly #namespace: PrivateDnsNamespace;

  constructor(scope: Construct, id: string, props: PortalProps) {
    super(scope, id, { description: 'Device Portal: servers and load balancer' });
    const { settings, network } = props;
    this.#props = props;
    this.cluster = new Cluster(this, 'Cluster', {
      vpc: network.vpc,
      containerInsightsV2: ContainerInsights.ENABLED,
    });
    this.#namespace = new PrivateDnsNamespace(this, 'Names', {
      name: 'deviceportal.internal',
      vpc: network.vpc,
    });
    this.#webRole = createTaskRole(this, 'WebRole');
    this.#airBlastRole = new AirBlastRole(this, 'AirBlast', this.#webRole.roleArn);
    this.#environment = {
      NODE_ENV: 'production',
      DEVICEPORTAL_PUBLIC_URL: `https://${settings.host}`,
      DEVICEPORTAL_TRUST_PROXY: network.vpc.vpcCidrBlock,
      DEVICEPORTAL_REGION: Aws.REGION,
      DEVICEPORTAL_SECRETS: `secretsmanager:${SECRETS_PREFIX}`,
      DEVICEPORTAL_AIR_BLAST_ROLE: this.#airBlastRole.role.roleArn,
      DEVICEPORTAL_MESSENGER: settings.mail.kind,
      DEVICEPORTAL_MAIL_FROM: settings.mail.from,
      ...(settings.texts === 'sns' && { DEVICEPORTAL_SMS_GATEWAY: 'sns' }),
      ...props.database.serverSettings,
      ...props.storage.serverSettings,
      ...props.identity?.serverSettings,
      ...props.devices?.serverSettings,
    };
    this.#secrets = this.#createSecrets();
    const services = serverRoles.map((role) => [role, this.#createService(role)] as const);
    this.services = Object.fromEntries(services) as Record<ServerRole, FargateService>;
    this.#createOperatorTasks();
    this.entrance = new Entrance(this, 'Entrance', {
      ...props,
      cluster: this.cluster,
      gateway: this.services.gateway,
    });
  }

  #createSecrets(): Readonly<Record<string, ContainerSecret>> {
    const { mail } = this.#props.settings;
    const operations = new Secret(this, 'OperationsToken', {
      description: 'Bearer token for /readyz and /metrics',
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
    });
    acknowledge(operations, 'AwsSolutions-SMG4');
    return {
      DEVICEPORTAL_OPERATIONS_TOKEN: ContainerSecret.fromSecretsManager(operations),
      ...(mail.kind === 'smtp' && {
        DEVICEPORTAL_SMTP_URL: ContainerSecret.fromSecretsManager(
          Secret.fromSecretCompleteArn(this, 'SmtpUrl', mail.urlSecretArn),
        ),
      }),
    };
  }

  get #granted(): Granted {
    const { database, storage, settings, devices } = this.#props;
    return {
      ...{ stack: this, database, storage, devices },
      airBlastRoleArn: this.#airBlastRole.role.roleArn,
      mailFrom: settings.mail.kind === 'ses' ? settings.mail.from : undefined,
      sendsTexts: settings.texts === 'sns',
    };
  }

  #createService(role: ServerRole): FargateService {
    const { registry, settings, network } = this.#props;
    const task = new ServerTask(this, nameOf(role), {
      ...SIZES[role],
      repository: registry.server,
      release: settings.release,
      environment: { ...this.#environment, DEVICEPORTAL_ROLES: role },
      secrets: this.#secrets,
      taskRole: role === 'web' ? this.#webRole : createTaskRole(this, `${nameOf(role)}Role`),
      grants: grantsOf([role], this.#granted),
    });
    const service = new FargateService(this, `${nameOf(role)}Service`, {
      ...deploymentOf(role, settings),
      ...(settings.runsServers ? {} : { desiredCount: 0 }),
      cluster: this.cluster,
      taskDefinition: task,
      securityGroups: [network.servers],
      vpcSubnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS },
      circuitBreaker: { rollback: true },
      cloudMapOptions: {
        cloudMapNamespace: this.#namespace,
        name: role,
        dnsRecordType: DnsRecordType.A,
        dnsTtl: Duration.seconds(10),
        containerPort: HTTP_PORT,
      },
    });
    if (role === 'web' && settings.runsServers) {
      service
        .autoScaleTaskCount({ minCapacity: 2, maxCapacity: 10 })
        .scaleOnCpuUtilization('Processor', { targetUtilizationPercent: 60 });
    }
    return service;
  }

  /** Tasks without a service, in the order in which the guide runs them. */
  #createOperatorTasks(): void {
    const { registry, settings, database } = this.#props;
    const common = {
      repository: registry.server,
      release: settings.release,
      cpu: 1024,
      memoryMiB: 2048,
    };
    const passwordOf = (secret: DatabaseStack['ownerSecret']): ContainerSecret =>
      ContainerSecret.fromSecretsManager(secret, 'password');
    new ServerTask(this, 'CreateDatabaseRole', {
      ...common,
      taskRole: createTaskRole(this, 'CreateDatabaseRoleRole'),
      command: ['node', '/opt/deviceportal/create-database-role.mjs'],
      environment: {
        PGHOST: database.cluster.clusterEndpoint.hostname,
        PGDATABASE: DATABASE_NAME,
        PGUSER: 'deviceportal_owner',
        SERVER_ROLE,
        CA_FILE: database.serverSettings['DEVICEPORTAL_DATABASE_CA_FILE'] ?? '',
      },
      secrets: {
        PGPASSWORD: passwordOf(database.ownerSecret),
        SERVER_PASSWORD: passwordOf(database.serverSecret),
      },
      grants: [],
    });
    const migrate = new ServerTask(this, 'Migrate', {
      ...common,
      taskRole: createTaskRole(this, 'MigrateRole'),
      command: ['node', '/opt/deviceportal/apps/server/src/cli/migrate-command.ts'],
      environment: {
        ...this.#environment,
        DEVICEPORTAL_DATABASE_OWNER_SECRET_ID: database.ownerSecret.secretArn,
      },
      secrets: this.#secrets,
      grants: grantsOf([], this.#granted),
    });
    database.ownerSecret.grantRead(migrate.taskRole);
    new ServerTask(this, 'FirstStart', {
      ...common,
      taskRole: createTaskRole(this, 'FirstStartRole'),
      environment: { ...this.#environment, DEVICEPORTAL_ROLES: serverRoles.join(',') },
      secrets: this.#secrets,
      grants: grantsOf(serverRoles, this.#granted),
    });
  }
}

/** One server at a time runs the embedded broker; the others are replaced one after the other. */
function deploymentOf(
  role: ServerRole,
  { devices }: Settings,
): Pick<FargateServiceProps, 'desiredCount' | 'minHealthyPercent' | 'maxHealthyPercent'> {
  return role === 'gateway' && devices === 'broker'
    ? { desiredCount: 1, minHealthyPercent: 0, maxHealthyPercent: 100 }
    : { desiredCount: 2, minHealthyPercent: 100, maxHealthyPercent: 200 };
}

function nameOf(role: ServerRole): string {
  return role.charAt(0).toUpperCase() + role.slice(1);
}
