import { afterAll, beforeAll, expect, test } from 'vitest';
import { PortalPerson, toldOnce, type SentCommand } from '../support/portal-person.ts';
import { PortalPrograms, type AgentProgram } from '../support/programs/portal-programs.ts';
import { slowScript } from '../support/slow-script.ts';

const LIMIT_MS = 60_000;
const DELIVERY_SECONDS = 30;
const resources = new AsyncDisposableStack();
let portal: PortalPrograms;
let admin: PortalPerson;
let agent: AgentProgram;
let deviceId: string;

beforeAll(async () => {
  portal = resources.use(await PortalPrograms.prepare());
  await portal.startServer();
  admin = await PortalPerson.signIn(portal.url);
  agent = portal.startAgent('lost', await admin.createClaim('lost'));
  deviceId = await admin.untilOnline(agent);
}, LIMIT_MS);
afterAll(() => resources.disposeAsync(), LIMIT_MS);

test(
  'expires everything that became overdue while the server was killed',
  async () => {
    const script = slowScript(portal.dataDir, 'never-told');
    const started = await admin.runShell(deviceId, script.text);
    await admin.untilOutput(started, script.middle);
    await agent.program.end('SIGKILL');
    const undelivered = await admin.runShell(deviceId, 'echo never', {
      timeoutSeconds: DELIVERY_SECONDS,
    });

    await portal.server.end('SIGKILL');
    await letExpire([started, undelivered]);
    await portal.startServer();

    await expectTimedOut(undelivered, 'Delivery Timed Out');
    await expectTimedOut(started, 'Execution Timed Out');
    const { text } = (await admin.invocation(started)).stdout;
    expect(text).toContain(script.middle);
    expect(script.output.startsWith(text)).toBe(true);
  },
  LIMIT_MS,
);

test(
  "does not change a command that timed out when its device reconnects, and keeps the device's journal",
  async () => {
    const [timedOut] = await portal.sql<{ run_id: string; id: string }>(
      "select id, run_id from invocation where status_details = 'Execution Timed Out'",
    );
    const sent = { runId: timedOut?.run_id ?? '', invocationId: timedOut?.id ?? '', deviceId };
    agent.program.start();
    await admin.untilOnline(agent);
    const next = await admin.runShell(deviceId, 'echo again');
    expect(await admin.untilEnded(next)).toMatchObject({ state: 'Success' });
    expect(await admin.countTold(next)).toEqual(toldOnce);
    await expectTimedOut(sent, 'Execution Timed Out');
  },
  LIMIT_MS,
);

/** As if the server had been down for longer than the timeouts of the commands. */
async function letExpire(commands: readonly SentCommand[]): Promise<void> {
  const runIds = commands.map(({ runId }) => runId);
  const past = `deliver_before = now() - interval '2 hours', expires_at = now() - interval '1 hour'`;
  await portal.sql(`update invocation set ${past} where run_id = any($1::uuid[])`, [runIds]);
  await portal.sql(`update command_run set ${past} where id = any($1::uuid[])`, [runIds]);
}

async function expectTimedOut(sent: SentCommand, statusDetails: string): Promise<void> {
  expect(await admin.untilEnded(sent)).toMatchObject({ state: 'TimedOut', statusDetails });
  const run = await admin.run(sent.runId);
  expect(run.endedAt).not.toBeNull();
  const rows = await portal.sql<{ state: string; count: string }>(
    'select state, count(*) from invocation where run_id = $1 group by state',
    [sent.runId],
  );
  expect(rows).toEqual([{ state: 'TimedOut', count: '1' }]);
  expect(run.counters).toEqual({
    target: 1,
    pending: 0,
    inProgress: 0,
    success: 0,
    failed: 0,
    timedOut: 1,
    cancelled: 0,
  });
  const steps = await admin.countTold(sent);
  expect(steps).toMatchObject({ 'command.requested': 1, 'command.timed-out': 1 });
  expect(steps).not.toHaveProperty('command.finished');
}
