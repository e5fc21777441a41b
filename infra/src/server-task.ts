import type { IRepository } from 'aws-cdk-lib/aws-ecr';
import {
  ContainerImage,
  FargateTaskDefinition,
  LogDrivers,
  type Secret as ContainerSecret,
  type ContainerDefinition,
} from 'aws-cdk-lib/aws-ecs';
import { ManagedPolicy, Role, ServicePrincipal, type PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { acknowledge, acknowledgeOwnPrefixes } from './acknowledged-findings.ts';
import { DEVICE_PORT, HTTP_PORT } from './ports.ts';
import { ROLE_PATH } from './role-path.ts';

/** Of the image, owned by the account of the server. */
const DATA_DIR = '/var/lib/deviceportal';

export interface ServerTaskProps {
  readonly repository: IRepository;
  readonly release: string;
  readonly cpu: number;
  readonly memoryMiB: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, ContainerSecret>>;
  readonly taskRole: Role;
  readonly grants: readonly PolicyStatement[];
  /** Default: the server. */
  readonly command?: readonly string[];
}

/** A role of tasks below `/deviceportal/`, without permissions. */
export function createTaskRole(scope: Construct, id: string): Role {
  return new Role(scope, id, {
    path: ROLE_PATH,
    assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com'),
  });
}

/** The role with which ECS starts a container. It gets a token of the registry, which is not bound to a repository. */
export function createStartRole(scope: Construct, id: string): Role {
  const role = createTaskRole(scope, id);
  acknowledge(role, 'AwsSolutions-IAM5[Resource::*]');
  return role;
}

/** A task that runs one container of a release, with roles and a policy below `/deviceportal/`. */
export class ServerTask extends FargateTaskDefinition {
  readonly container: ContainerDefinition;

  constructor(scope: Construct, id: string, props: ServerTaskProps) {
    super(scope, id, {
      cpu: props.cpu,
      memoryLimitMiB: props.memoryMiB,
      taskRole: props.taskRole,
      executionRole: createStartRole(scope, `${id}StartRole`),
      volumes: [{ name: 'data' }],
    });
    if (props.grants.length > 0) {
      const policy = new ManagedPolicy(scope, `${id}Policy`, {
        path: ROLE_PATH,
        roles: [props.taskRole],
        statements: [...props.grants],
      });
      acknowledgeOwnPrefixes(policy);
    }
    acknowledge(this, 'AwsSolutions-ECS2');
    this.container = this.addContainer('portal', {
      image: ContainerImage.fromEcrRepository(props.repository, props.release),
      ...(props.command && { command: [...props.command] }),
      environment: {
        ...props.environment,
        DEVICEPORTAL_DATA_DIR: DATA_DIR,
        DEVICEPORTAL_HOST: '0.0.0.0',
        NODE_COMPILE_CACHE: `${DATA_DIR}/.cache`,
        TMPDIR: DATA_DIR,
      },
      secrets: { ...props.secrets },
      logging: LogDrivers.awsLogs({
        streamPrefix: id.toLowerCase(),
        logGroup: new LogGroup(scope, `${id}Log`, { retention: RetentionDays.THREE_MONTHS }),
      }),
      readonlyRootFilesystem: true,
      portMappings: [{ containerPort: HTTP_PORT }, { containerPort: DEVICE_PORT }],
    });
    this.container.addMountPoints({
      containerPath: DATA_DIR,
      sourceVolume: 'data',
      readOnly: false,
    });
  }
}
