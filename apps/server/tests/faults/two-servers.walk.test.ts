import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunDetail } from '@deviceportal/contract/runs';
import { rowsOf, until } from '../support/gateway-fixture.ts';
import { hasMosquitto } from '../support/brokers/mosquitto.ts';
import { countSteps, toldOnce, type PortalPerson } from '../support/portal-person.ts';
import { markingScript } from '../support/slow-script.ts';
import { startTwoPortals, type TwoPortals } from '../support/programs/two-portals.ts';

const LIMIT_MS = 120_000;
const DEVICES = 4;
let setup: TwoPortals;

if (!hasMosquitto) {
  process.stdout.write('Skipped: the test of two servers needs the program mosquitto.\n');
}

beforeAll(async () => {
  if (hasMosquitto) setup = await startTwoPortals(DEVICES);
}, LIMIT_MS);
afterAll(() => setup?.[Symbol.asyncDispose](), LIMIT_MS);

test.skipIf(!hasMosquitto).each([
  { killed: 0, name: 'the server that was asked' },
  { killed: 1, name: 'the other server' },
] as const)(
  'runs each device once and notifies once when $name is killed during a run',
  async ({ killed }) => {
    const { servers, people, deviceIds, database } = setup;
    const script = markingScript(servers[0].dataDir, `killed-${killed}`);
    const run = await people[0].runShellOn(deviceIds, script.text, { maxConcurrency: '2' });
    const isInTheMiddle = ({ counters }: RunDetail): boolean =>
      counters.success >= 1 && counters.pending >= 1;
    await until(async () => isInTheMiddle(await people[0].run(run.id)), 20_000);
    await servers[killed].server.end('SIGKILL');
    const survivor = people[1 - killed] as PortalPerson;
    const ended = await until(async () => {
      const now = await survivor.run(run.id);
      return now.endedAt !== null && now;
    }, 60_000);
    expect(ended).toMatchObject({
      state: 'Success',
      counters: { target: DEVICES, success: DEVICES, pending: 0, inProgress: 0 },
    });
    expect(await script.countRuns()).toBe(DEVICES);
    const told = await rowsOf<{ type: string; device_id: string; data: Record<string, unknown> }>(
      database.database,
      'select type, device_id, data from audit_event where run_id = $1',
      [run.id],
    );
    for (const deviceId of deviceIds) {
      expect(countSteps(told.filter((one) => one.device_id === deviceId))).toEqual(toldOnce);
    }
    await setup.restart(killed);
  },
  LIMIT_MS,
);
