import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROTOCOL_VERSION } from '@deviceportal/device-protocol/protocol-version';
import { dispatchRun } from '../../src/commands/execution/dispatch-run.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { explain } from '../../src/explanations/explain.ts';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../support/air-blast/air-blast-fixture.ts';
import { runInput, seedDevices, viewerWith } from '../support/command-fixture.ts';
import { connectAgent } from '../support/connect-agent.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { rowsOf } from '../support/gateway-fixture.ts';

const administrator = viewerWith('Administrator');
let setup: TestDatabase;
let fixture: AirBlastFixture;
beforeAll(async () => {
  setup = await createTestDatabase();
  fixture = await createAirBlastFixture(setup.database);
});
afterAll(() => setup[Symbol.asyncDispose]());

const NEEDS_FILE = {
  command: 'software/install',
  parameters: { component: 'player', version: '2.0.0' },
};
const ANY_AGENT = { command: 'shell', parameters: { script: 'true' } };

/** An agent without signatures, one of this release, and one that has not connected yet. */
async function seedAgents(): Promise<[string, string, string]> {
  const [old = '', current = '', unknown = ''] = await seedDevices(setup.database, [{}, {}, {}]);
  await connectAgent(setup.database, old);
  await connectAgent(setup.database, current, ['key'], PROTOCOL_VERSION);
  return [old, current, unknown];
}

async function request(
  deviceIds: readonly string[],
  input: typeof NEEDS_FILE | typeof ANY_AGENT,
  maxConcurrency = '100%',
): Promise<string> {
  const target = { kind: 'devices' as const, deviceIds: [...deviceIds] };
  const run = runInput({
    ...input,
    target,
    maxConcurrency,
    confirmation: String(deviceIds.length),
  });
  const { id } = await runCommand({ ...fixture.deps, sendNew: () => {} }, administrator, run);
  await dispatchRun(setup.database, id);
  return id;
}

const invocationsOf = (runId: string) =>
  rowsOf<{ id: string; device: string; details: string; sent: boolean }>(
    setup.database,
    `select id, device_id as device, status_details as details, sent_at is not null as sent
     from invocation where run_id = $1 order by id`,
    [runId],
  );

test.each(['100%', '50'])(
  'a command that an old agent cannot run is refused with the reason, and runs on the others (%s)',
  async (maxConcurrency) => {
    const agents = await seedAgents();
    const [old, ...others] = agents;
    const runId = await request(agents, NEEDS_FILE, maxConcurrency);
    for (let round = 0; round < 3; round += 1) await dispatchRun(setup.database, runId);
    const invocations = await invocationsOf(runId);
    const refused = invocations.find(({ device }) => device === old);
    expect(refused).toMatchObject({ details: 'Undeliverable', sent: false });
    const sent = invocations.filter(({ device }) => others.includes(device));
    expect(sent.some(({ details }) => details === 'InProgress')).toBe(true);
    expect(sent.every(({ details }) => details !== 'Undeliverable')).toBe(true);
    const [why] = await explain(fixture.deps, administrator, {
      kind: 'invocation',
      id: refused?.id ?? '',
    });
    expect(why?.reasons).toMatchObject([
      {
        code: 'agent-outdated',
        act: { kind: 'run-command', on: { command: 'agent/update', deviceId: old }, lacks: null },
      },
    ]);
  },
);

test('a command that every agent can run is sent to an old agent immediately', async () => {
  const [old] = await seedAgents();
  const [sent] = await invocationsOf(await request([old], ANY_AGENT));
  expect(sent).toMatchObject({ details: 'InProgress', sent: true });
});

test('a queued command is sent to an agent that was updated before it connects', async () => {
  const [old] = await seedAgents();
  const { orm } = setup.database;
  const setConnectivity = (to: string) =>
    orm.execute(sql`update device_status set connectivity = ${to} where device_id = ${old}`);
  await setConnectivity('offline');
  const runId = await request([old], NEEDS_FILE);
  await connectAgent(setup.database, old, ['key'], PROTOCOL_VERSION);
  await setConnectivity('online');
  await dispatchRun(setup.database, runId);
  expect(await invocationsOf(runId)).toMatchObject([{ details: 'InProgress', sent: true }]);
});
