import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Notification } from '@deviceportal/contract/notifications';
import type { Page } from '@deviceportal/contract/pages';
import { verifyAuditTrail } from '../../src/audit-trail/verification/verify-audit-trail.ts';
import { installationSigner, onlyHot } from '../support/audit/audit-signer.ts';
import {
  planScript,
  startNextStep,
  untilStepDone,
} from '../support/air-blast/air-blast-operator.ts';
import { rowsOf, until } from '../support/gateway-fixture.ts';
import { hasMosquitto } from '../support/brokers/mosquitto.ts';
import { countSteps, toldOnce, type PortalPerson } from '../support/portal-person.ts';
import { markingScript } from '../support/slow-script.ts';
import { startTwoPortals, type TwoPortals } from '../support/programs/two-portals.ts';

const LIMIT_MS = 120_000;
const DEVICES = 3;
const CANARIES = 1;
/** One for the canary, then one for each other device. */
const WAVES = 3;
let setup: TwoPortals;

if (!hasMosquitto) {
  process.stdout.write('Skipped: the test of killed AirBlasts needs the program mosquitto.\n');
}

beforeAll(async () => {
  if (hasMosquitto) setup = await startTwoPortals(DEVICES);
}, LIMIT_MS);
afterAll(() => setup?.[Symbol.asyncDispose](), LIMIT_MS);

interface Planned {
  readonly id: string;
  /** How often the change was started, on all devices. */
  readonly countRuns: () => Promise<number>;
}

async function plan(person: PortalPerson, name: string): Promise<Planned> {
  const script = markingScript(setup.servers[0].dataDir, name);
  const { deviceIds } = setup;
  const { id } = await planScript(person, { name, script: script.text, deviceIds });
  return { id, countRuns: script.countRuns };
}

/** kill -9 as soon as so many devices have started. */
async function killInTheMiddle({ countRuns }: Planned, begun: number, server: 0 | 1) {
  await until(async () => (await countRuns()) >= begun, 30_000);
  await setup.servers[server].server.end('SIGKILL');
}

/** The expected record of the run, whichever server was killed: nothing twice, nothing missing. */
async function expectDoneOnce({ id, countRuns }: Planned): Promise<void> {
  expect(await countRuns()).toBe(DEVICES);
  const { database } = setup.database;
  const steps = await rowsOf<{ step: string; state: string; attempt: number }>(
    setup.database.database,
    'select step, state, attempt from air_blast_step where air_blast_id = $1 order by started_at',
    [id],
  );
  const done = { state: 'done', attempt: 1 };
  expect(steps).toEqual(
    ['plan', 'preflight', 'canary', 'blast', 'verify'].map((step) => ({ step, ...done })),
  );
  const runs = await rowsOf<{ id: string; state: string }>(
    database,
    `select r.id, r.state from air_blast_wave w join command_run r on r.idempotency_key = w.run_key
     where w.air_blast_id = $1`,
    [id],
  );
  expect(runs.map(({ state }) => state)).toEqual(Array(WAVES).fill('Success'));
  expect(await toldOfRun(id)).toEqual({
    'air-blast.planned': 1,
    'air-blast.step-started': 4,
    'air-blast.step-finished': 4,
    'air-blast.wave-opened': WAVES,
  });
  expect(await toldOfDevices(runs.map((run) => run.id))).toEqual(Array(DEVICES).fill(toldOnce));
}

async function toldOfRun(id: string): Promise<Record<string, number>> {
  const events = await rowsOf<{ type: string }>(
    setup.database.database,
    `select type from audit_event where data->>'airBlastId' = $1
       and type not in ('air-blast.role-assumed', 'air-blast.token-renewed')`,
    [id],
  );
  return countSteps(events.map(({ type }) => ({ type, data: {} }) as never));
}

async function toldOfDevices(runIds: readonly string[]): Promise<Record<string, number>[]> {
  const events = await rowsOf<{ type: string; device_id: string; data: Record<string, unknown> }>(
    setup.database.database,
    'select type, device_id, data from audit_event where run_id = any($1::uuid[])',
    [runIds],
  );
  return setup.deviceIds.map((deviceId) =>
    countSteps(events.filter((one) => one.device_id === deviceId) as never),
  );
}

/** A run that continued while no server was running. */
async function expectToldOnce(person: PortalPerson, runId: string): Promise<void> {
  const told = await until(async () => {
    const { rows } = await person.mustAsk<Page<Notification>>('notifications.list', {});
    const found = rows.filter(({ facts }) => facts['runId'] === runId);
    return found.length > 0 && found;
  }, 120_000);
  expect(told).toMatchObject([{ kind: 'run-ended', facts: { target: DEVICES, success: DEVICES } }]);
}

test.skipIf(!hasMosquitto)(
  'completes a rollout once when one of two servers is killed in the canary stage, and then the other in a wave',
  async () => {
    const [first, second] = setup.people;
    const run = await plan(first, 'one-then-none');
    await startNextStep(first, run.id);
    await startNextStep(first, run.id);
    await killInTheMiddle(run, CANARIES, 0);
    await untilStepDone(second, run.id, 'canary');
    await startNextStep(second, run.id);
    await killInTheMiddle(run, CANARIES + 1, 1);
    await setup.restart(0);
    await untilStepDone(first, run.id, 'blast');
    await startNextStep(first, run.id);
    await untilStepDone(first, run.id, 'verify');
    await expectDoneOnce(run);
  },
  LIMIT_MS,
);

test.skipIf(!hasMosquitto)(
  'completes and announces a rollout once when its only server is killed in the canary stage, and then one of two in a wave',
  async () => {
    const [first, second] = setup.people;
    const run = await plan(first, 'none-then-one');
    await startNextStep(first, run.id);
    await startNextStep(first, run.id);
    const script = markingScript(setup.servers[0].dataDir, 'beside-it');
    const mine = await first.runShellOn(setup.deviceIds, script.text, { maxConcurrency: '100%' });
    await until(async () => (await script.countRuns()) >= DEVICES - CANARIES, 30_000);
    await killInTheMiddle(run, CANARIES, 0);
    await Promise.all([setup.restart(0), setup.restart(1)]);
    await untilStepDone(second, run.id, 'canary');
    await startNextStep(first, run.id);
    await killInTheMiddle(run, CANARIES + 1, 0);
    await untilStepDone(second, run.id, 'blast');
    await startNextStep(second, run.id);
    await untilStepDone(second, run.id, 'verify');
    await expectDoneOnce(run);
    await expectToldOnce(second, mine.id);
  },
  LIMIT_MS,
);

test.skipIf(!hasMosquitto)(
  'leaves no gaps or duplicates in the audit trail of killed servers',
  async () => {
    const { trustedKeys } = await installationSigner(setup.servers[0].dataDir);
    const verification = await until(async () => {
      const found = await verifyAuditTrail({
        ...onlyHot(setup.database),
        trustedKeys,
      });
      const { rows } = await setup.database.database.pool.query(
        'select count(*)::int from audit_event',
      );
      return found.verified === rows[0].count && found;
    }, 30_000);
    expect(verification).toMatchObject({ broken: null, strays: 0 });
  },
  LIMIT_MS,
);
