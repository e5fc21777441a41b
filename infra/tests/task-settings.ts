import type { Config } from '../../apps/server/src/platform/config/config.ts';
import { readConfig } from '../../apps/server/src/platform/config/read-config.ts';
import type { awsActions } from '../../apps/server/src/platform/aws/aws-actions.ts';
import type { Synthesized } from './synthesize.ts';

type Environment = Readonly<Record<string, string>>;

interface TaskProperties {
  readonly ContainerDefinitions: readonly {
    readonly Environment?: readonly { readonly Name: string; readonly Value: unknown }[];
    readonly Secrets?: readonly { readonly Name: string }[];
  }[];
}

/** Environment of each task that runs the server, by the name of the task; references are placeholders. */
export function environmentsOf({ templates }: Synthesized): ReadonlyMap<string, Environment> {
  const found = new Map<string, Environment>();
  for (const [id, { Type, Properties }] of templates.flatMap(({ resources }) => resources)) {
    if (Type !== 'AWS::ECS::TaskDefinition') continue;
    const [container] = (Properties as unknown as TaskProperties).ContainerDefinitions;
    const { Environment: plain = [], Secrets: secrets = [] } = container ?? {};
    if (!plain.some(({ Name }) => Name === 'DEVICEPORTAL_PUBLIC_URL')) continue;
    found.set(id.replace(/[0-9A-F]{8}$/, ''), {
      ...Object.fromEntries(plain.map(({ Name, Value }) => [Name, textOf(Name, Value)])),
      ...Object.fromEntries(secrets.map(({ Name }) => [Name, secretOf(Name)])),
    });
  }
  return found;
}

/** As the server reads it. */
export function readTaskConfig(environment: Environment): Config {
  return readConfig({ argv: [], env: environment, workingDir: '/opt/deviceportal' });
}

/** Adapters that these settings load. */
export function adaptersOf(config: Config): readonly (keyof typeof awsActions)[] {
  const { messenger } = config;
  const email = messenger.kind === 'delivery' ? messenger.email.kind : undefined;
  const sms = messenger.kind === 'delivery' ? messenger.sms?.kind : undefined;
  return [
    ...(config.systemsManager === undefined ? [] : (['ssm-commands'] as const)),
    ...(config.systemsManager === undefined || config.systemsManager.labels.length === 0
      ? []
      : (['resource-tags'] as const)),
    ...(config.systemsManager?.queue === undefined ? [] : (['sqs-queue'] as const)),
    ...(config.airBlastRole === undefined ? [] : (['assume-role'] as const)),
    ...(config.parameterStore.kind === 'ssm' ? (['parameter-store'] as const) : []),
    ...(email === 'ses' ? (['ses-mail'] as const) : []),
    ...(sms === 'sns' ? (['sns-text'] as const) : []),
    ...(config.database.kind === 'secret' || config.secrets.place.kind === 'secretsmanager'
      ? (['secrets-manager'] as const)
      : []),
    ...(config.broker.kind === 'iot' ? (['iot'] as const) : []),
    ...(config.deviceQueue === undefined ? [] : (['sqs-queue'] as const)),
    ...(config.audit.anchors.bucket === undefined ? [] : (['locked-objects'] as const)),
    ...(config.analytics === undefined ? [] : (['athena'] as const)),
    ...(config.files.kind === 's3' ? (['s3-files'] as const) : []),
    ...(Object.values(config.tables.names).some((name) => name !== undefined)
      ? (['dynamodb-tables'] as const)
      : []),
  ];
}

/** What CloudFormation would put in place, in the form that the setting requires. */
const references: Readonly<Record<string, string>> = {
  DEVICEPORTAL_REGION: 'eu-central-1',
  DEVICEPORTAL_AUDIT_TRAIL_QUEUE: 'https://sqs.eu-central-1.amazonaws.com/111122223333/devices',
  DEVICEPORTAL_TRUST_PROXY: '10.90.0.0/16',
  DEVICEPORTAL_AIR_BLAST_ROLE: 'arn:aws:iam::111122223333:role/deviceportal/air-blast',
  DEVICEPORTAL_RUN_COMMAND_QUEUE: 'https://sqs.eu-central-1.amazonaws.com/111122223333/events',
  DEVICEPORTAL_USER_POOL: 'eu-central-1_AbCdEfGhI',
  DEVICEPORTAL_IDENTITY_POOL: 'eu-central-1:01234567-0123-0123-0123-0123456789ab',
};

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  const known = references[name];
  if (known !== undefined) return known;
  const joined = (value as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join'];
  if (joined === undefined) return 'reference';
  return joined[1].map((part) => (typeof part === 'string' ? part : 'reference')).join(joined[0]);
}

function secretOf(name: string): string {
  return name === 'DEVICEPORTAL_SMTP_URL'
    ? 'smtps://user:password@mail.example.com:465'
    : 'a-secret-of-48-letters-a-secret-of-48-letters-ab';
}
