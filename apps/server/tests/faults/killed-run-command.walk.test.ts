import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/gateway-fixture.ts';
import { PortalPerson, toldOnce, type SentCommand } from '../support/portal-person.ts';
import { PortalPrograms } from '../support/programs/portal-programs.ts';
import { markingScript } from '../support/slow-script.ts';
import { SmallSsm } from '../systems-manager/small-ssm.ts';

const LIMIT_MS = 120_000;
const INSTANCES = ['i-published', 'i-called', 'i-executed', 'i-answer'] as const;
const resources = new AsyncDisposableStack();
let ssm: SmallSsm;
let portal: PortalPrograms;
let admin: PortalPerson;
let settings: Record<string, string>;

beforeAll(async () => {
  ssm = resources.use(
    await SmallSsm.start(
      INSTANCES.map((id) => ({ id, isOnline: true, agentVersion: '3.3.2746.0' })),
    ),
  );
  portal = resources.use(await PortalPrograms.prepare());
  settings = {
    DEVICEPORTAL_RUN_COMMAND: 'ssm',
    DEVICEPORTAL_RUN_COMMAND_ENDPOINT: ssm.endpoint,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
  await portal.startServer(settings);
  admin = await PortalPerson.signIn(portal.url);
}, LIMIT_MS);
afterAll(() => resources.disposeAsync(), LIMIT_MS);

/** Resolves with the device of an instance when it can receive commands. */
const deviceOf = (instanceId: string): Promise<string> =>
  until(async () => {
    const [row] = await portal.sql<{ id: string }>(
      `select device_id as id from managed_instance join device_status using (device_id)
       where managed_instance.instance_id = $1 and connectivity = 'online'`,
      [instanceId],
    );
    return row?.id;
  }, 20_000);

/** Sends a command, and resolves when a call of its sending was interrupted. */
async function interrupted(
  instanceId: string,
  ...[operation, how]: Parameters<SmallSsm['interruptNext']>
) {
  const script = markingScript(portal.dataDir, instanceId);
  const deviceId = await deviceOf(instanceId);
  ssm.interruptNext(operation, how);
  const sent = await admin.runShell(deviceId, script.text);
  await until(async () => ssm.isInterrupted(operation), 20_000);
  return { instanceId, script, sent };
}

async function expectOneExecution({
  instanceId,
  script,
  sent,
}: Awaited<ReturnType<typeof interrupted>> & { readonly sent: SentCommand }): Promise<void> {
  expect(await admin.untilEnded(sent)).toMatchObject({ state: 'Success', attempt: 1 });
  expect(await script.countRuns()).toBe(1);
  expect(ssm.executions.filter((one) => one.instanceId === instanceId)).toHaveLength(1);
  expect(await admin.countTold(sent)).toEqual(toldOnce);
}

test(
  'executes each command once when the server is killed before SendCommand, during it, and before its answer is stored',
  async () => {
    const before = await interrupted('i-published', 'GetDocument', 'hold-before');
    const during = await interrupted('i-called', 'SendCommand', 'hold-before');
    const after = await interrupted('i-executed', 'SendCommand', 'hold-after');
    await portal.server.end('SIGKILL');
    await portal.startServer(settings);
    await Promise.all([before, during, after].map(expectOneExecution));
    // Sent again only where nothing was found.
    expect(ssm.count('SendCommand')).toBe(4);
  },
  LIMIT_MS,
);

test(
  'executes a command once when the answer of SendCommand is lost',
  async () => {
    const calls = ssm.count('SendCommand');
    await expectOneExecution(await interrupted('i-answer', 'SendCommand', 'cut'));
    expect(ssm.count('SendCommand')).toBe(calls + 1);
  },
  LIMIT_MS,
);
