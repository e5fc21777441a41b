import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { awsActions } from '../../apps/server/src/platform/aws/aws-actions.ts';
import { adaptersOf, environmentsOf, readTaskConfig } from './task-settings.ts';
import { policiesOf, type Policy } from './task-policies.ts';
import {
  buildTriggers,
  given,
  givenInChina,
  synthesize,
  type Resource,
  type Synthesized,
} from './synthesize.ts';
import { variants } from './variants.ts';

const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`;
const hasHaproxy = spawnSync('haproxy', ['-v'], { env: { PATH } }).error === undefined;
if (!hasHaproxy) process.stdout.write('Skipped: haproxy is missing to check its configuration.\n');

beforeAll(buildTriggers);

describe.each(variants)('the stacks for $name', ({ region, context }) => {
  const isAtIot = 'devices' in context;
  let built: Synthesized;
  beforeAll(() => {
    built = synthesize(region, context);
  }, 120_000);
  const resourcesOf = (type: string): readonly Resource[] =>
    built.templates.flatMap(({ resources }) =>
      resources.flatMap(([, resource]) => (resource.Type === type ? [resource] : [])),
    );

  test('have no finding that is not explained', () => {
    expect(built.findings).toEqual([]);
  });

  test('name no account, region, or partition', () => {
    const fixed = built.templates.flatMap(({ name, text }) => {
      const { Mappings: _partitions, ...rest } = JSON.parse(text) as Record<string, unknown>;
      const own = JSON.stringify(rest)
        .replaceAll(context.certificate, '')
        .replaceAll(context.smtpSecret, '');
      const found = own.match(
        /"arn:aws[^"]*|:\d{12}:|(?:us|eu|cn)-(?:north|east|central)-\d|amazonaws\.com\.cn/g,
      );
      return (found ?? []).map((what) => `${name}: ${what}`);
    });
    expect(fixed).toEqual([]);
  });

  test('have all roles and policies below /deviceportal/', () => {
    const paths = ['AWS::IAM::Role', 'AWS::IAM::ManagedPolicy']
      .flatMap(resourcesOf)
      .map(({ Properties }) => Properties['Path'] as string | undefined);
    expect(paths.length).toBeGreaterThan(10);
    expect(new Set(paths)).toEqual(new Set(['/deviceportal/']));
  });

  test('start every task with settings that the server accepts in production', () => {
    const environments = environmentsOf(built);
    expect(environments.size).toBe(6);
    for (const environment of environments.values()) {
      expect(readTaskConfig(environment)).toMatchObject({
        production: true,
        database: { kind: 'secret' },
      });
    }
  });

  test('allow what the adapters call that the settings turn on, and nothing else', () => {
    const environment = environmentsOf(built).get('FirstStart') ?? {};
    const declared = adaptersOf(readTaskConfig(environment)).flatMap((name) => [
      ...awsActions[name],
    ]);
    expect(actionsOf(policiesOf(built).get('FirstStart'))).toEqual(
      [...new Set(declared)].toSorted(),
    );
  });

  test('let only the worker change secrets and tables, and only web assume the AirBlast role', () => {
    const policies = policiesOf(built);
    const rolesWith = (action: string): readonly string[] =>
      ['Web', 'Identity', 'Gateway', 'Worker'].filter((role) =>
        actionsOf(policies.get(role)).includes(action),
      );
    expect(rolesWith('secretsmanager:PutSecretValue')).toEqual(['Worker']);
    expect(rolesWith('secretsmanager:DeleteSecret')).toEqual(['Worker']);
    expect(rolesWith('dynamodb:PutItem')).toEqual(['Worker']);
    expect(rolesWith('s3:PutObjectRetention')).toEqual(['Worker']);
    expect(rolesWith('sts:AssumeRole')).toEqual(['Web']);
    const runsCommands = 'runCommand' in context;
    expect(rolesWith('ssm:SendCommand')).toEqual(runsCommands ? ['Gateway'] : []);
    for (const action of ['iot:Publish', 'iot:UpdateCertificate'])
      expect(rolesWith(action)).toEqual(isAtIot ? ['Gateway'] : []);
    expect(rolesWith('s3:GetObject')).toEqual(['Web', 'Identity', 'Gateway', 'Worker']);
  });

  test.runIf('analytics' in context)(
    'keep results of Athena for a day, and let only web ask it',
    () => {
      const policies = [...policiesOf(built)].filter(([, policy]) =>
        actionsOf(policy).includes('athena:StartQueryExecution'),
      );
      expect(policies.map(([task]) => task).toSorted()).toEqual(['FirstStart', 'Web']);
      const rules = resourcesOf('AWS::S3::Bucket').flatMap(
        ({ Properties }) =>
          (
            Properties['LifecycleConfiguration'] as
              | { Rules: { ExpirationInDays?: number }[] }
              | undefined
          )?.Rules ?? [],
      );
      expect(rules).toContainEqual({ ExpirationInDays: 1, Status: 'Enabled' });
    },
  );

  test('have wildcards only in prefixes of this installation', () => {
    const statements = [...policiesOf(built).values()].flatMap(({ statements: all }) => all);
    expect(statements.flatMap(({ actions }) => actions).filter((one) => one.includes('*'))).toEqual(
      [],
    );
    const wildcards = statements.flatMap(({ resources }) =>
      resources.filter((one) => one.includes('*')),
    );
    const allowed =
      /:secret:deviceportal\/installation\/\*$|:parameter\/DevicePortal\*$|\/portal\/\*$|^<reference>\/(?:results\/)?\*$|:document\/DevicePortal\*$|:(?:managed-)?instance\/\*$|:(?:thing|cert|client)\/\*$|:topic\/deviceportal\/devices\/\*$|^\*$/;
    expect(wildcards.filter((one) => !allowed.test(one))).toEqual([]);
  });

  test.runIf(region.startsWith('cn-'))('use no service that the region does not have', () => {
    const types = built.templates.flatMap(({ resources }) => resources.map(([, { Type }]) => Type));
    expect(types.filter((type) => type.startsWith('AWS::Cognito'))).toEqual([]);
    const actions = [...policiesOf(built).values()].flatMap(actionsOf);
    expect(actions.filter((action) => /^(?:ses|sns|cognito-\w+):/.test(action))).toEqual([]);
  });

  test('have the resources by whose names try-it finds them', () => {
    const script = readFileSync(join(import.meta.dirname, '../try-it'), 'utf8');
    const wanted = Array.from(
      script.matchAll(/\$\(resources (\w+) (AWS::[\w:]+) (\w+)\)/g),
      ([, stack = '', type = '', prefix = '']) => ({ stack, type, prefix }),
    );
    expect(wanted.length).toBe(7);
    const isPart = ({ stack, prefix }: { stack: string; prefix: string }): boolean =>
      (stack !== 'DevicePortalDevices' || isAtIot) &&
      (!prefix.startsWith('ManagedInstances') || 'runCommand' in context);
    const missing = wanted
      .filter(isPart)
      .filter(
        ({ stack, type, prefix }) =>
          built.templates
            .find(({ name }) => name === stack)
            ?.resources.filter(([id, { Type }]) => Type === type && id.startsWith(prefix))
            .length !== 1,
      );
    expect(missing).toEqual([]);
  });

  test.runIf(isAtIot || 'runCommand' in context)(
    'permit what try-it checks that they permit',
    () => {
      const script = readFileSync(join(import.meta.dirname, '../try-it'), 'utf8');
      const checked = Array.from(
        script.matchAll(/for action in ([\w ]+); do\s+check "Gateway may call (\w+):/g),
        ([, actions = '', service = '']) =>
          actions.split(' ').map((action) => `${service}:${action}`),
      ).flat();
      expect(checked.length).toBeGreaterThan(7);
      const service = isAtIot ? 'iot:' : 'ssm:';
      const permitted = actionsOf(policiesOf(built).get('Gateway'));
      expect(permitted).toEqual(
        expect.arrayContaining(checked.filter((action) => action.startsWith(service))),
      );
    },
  );

  test.runIf(isAtIot)(
    'let only the rules of AWS IoT fill the queue, with what the server reads',
    () => {
      const rules = resourcesOf('AWS::IoT::TopicRule').map(({ Properties }) =>
        JSON.stringify(Properties['TopicRulePayload']),
      );
      expect(rules).toHaveLength(2);
      for (const rule of rules) {
        expect(rule).toContain(
          "SELECT topic() AS topic, encode(*, 'base64') AS payload, timestamp() AS at FROM",
        );
      }
      const senders = resourcesOf('AWS::IAM::Policy').filter(({ Properties }) =>
        JSON.stringify(Properties).includes('sqs:SendMessage'),
      );
      expect(senders).toHaveLength(1);
      expect(resourcesOf('AWS::ElasticLoadBalancingV2::Listener')).toHaveLength(1);
    },
  );

  test('keep data when a stack is deleted', () => {
    const kept = ['AWS::RDS::DBCluster', 'AWS::DynamoDB::GlobalTable', 'AWS::Cognito::UserPool'];
    const deleted = kept
      .flatMap(resourcesOf)
      .filter((one) => (one as unknown as { DeletionPolicy?: string }).DeletionPolicy !== 'Retain');
    expect(deleted).toEqual([]);
  });
});

test.each([
  ['signIn', 'cognito'],
  ['texts', 'sns'],
  ['mail', 'ses'],
])('-c %s=%s is refused in regions of China', (name, value) => {
  expect(() => synthesize('cn-north-1', { ...givenInChina, [name]: value })).toThrow(
    `-c ${name}=${value} is not available in cn-north-1.`,
  );
});

test('-c servers=off deploys the services without tasks', () => {
  const { templates } = synthesize('eu-central-1', { ...given, servers: 'off' });
  const counts = templates
    .flatMap(({ resources }) => resources)
    .filter(([id, { Type }]) => Type === 'AWS::ECS::Service' && !id.startsWith('Entrance'))
    .map(([, { Properties }]) => Number(Properties['DesiredCount']));
  expect(counts).toEqual([0, 0, 0, 0]);
  const types = templates.flatMap(({ resources }) => resources.map(([, { Type }]) => Type));
  expect(types).not.toContain('AWS::ApplicationAutoScaling::ScalableTarget');
});

test.skipIf(!hasHaproxy)('the load balancer accepts its configuration', () => {
  const config = join(import.meta.dirname, '../images/haproxy.cfg');
  const { status, stderr } = spawnSync('haproxy', ['-c', '-f', config], {
    env: { PATH },
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
});

const actionsOf = (policy: Policy | undefined): readonly string[] =>
  [...new Set(policy?.statements.flatMap(({ actions }) => actions))].toSorted();
