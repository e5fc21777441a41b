import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { RunDetail } from '@deviceportal/contract/runs';
import {
  mosquittoNodes,
  natsNodes,
  rmqttNodes,
  type BrokerNodes,
  type BrokerNodesKind,
} from '../support/brokers/broker-nodes.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { rowsOf, until } from '../support/gateway-fixture.ts';
import { countSteps, PortalPerson, toldOnce } from '../support/portal-person.ts';
import { fleetProgram, PortalPrograms, type Program } from '../support/programs/portal-programs.ts';
import { markingScript } from '../support/slow-script.ts';

// Two clusters of five hundred devices each, on a machine that other walks use at the same time.
const LIMIT_MS = 900_000;
/** Without one more device of a fleet that enrolls. */
const ENROLL_LIMIT_MS = 60_000;
const RUN_LIMIT_MS = 180_000;
/** A list of hundreds of devices without pause takes a processor from those who work. */
const POLL_MS = 500;
/** From the death of the broker. */
const OFFLINE_LIMIT_MS = 60_000;
const AGENTS = 3;
/** Enough that some of them are connected to each broker. */
const DYING = 30;
const DEVICES = 500 - AGENTS - DYING;
/** Larger runs need an approval. */
const DEVICES_OF_RUN = 90;
/** The default is 20, with which the same takes a minute. */
const HEARTBEAT_SECONDS = process.env['DEVICEPORTAL_TEST_HEARTBEAT_SECONDS'] ?? '5';

const kinds: readonly BrokerNodesKind[] = [mosquittoNodes, natsNodes, rmqttNodes];
for (const { lacks } of kinds) {
  if (lacks !== undefined) process.stdout.write(`Skipped: the walk of broker nodes by ${lacks}.\n`);
}

describe.each(kinds)('$name, and two gateways', (kind) => {
  test.skipIf(kind.lacks !== undefined)(
    'one of each is killed: nothing is lost or told twice, and dead devices are offline',
    async () => {
      await using installation = await startInstallation(kind);
      const { servers, nodes, devicesOf } = installation;
      const [first, second] = servers;
      const survivor = await PortalPerson.signIn(second.url);
      const fleet = await installation.startFleet(survivor, { name: 'fleet', size: DEVICES });
      const dying = await installation.startFleet(survivor, { name: 'dying', size: DYING });
      const agents = await installation.startAgents(survivor);
      const surviving = await devicesOf('fleet', 'online');

      const others: { readonly id: string }[] = [];
      // One after the other, because a busy machine would use up the time that one person has for calls.
      for (const ids of chunksOf(surviving, DEVICES_OF_RUN)) {
        const targets = ids.map(({ id }) => id);
        others.push(await survivor.runShellOn(targets, 'uptime', { maxConcurrency: '10' }));
      }
      const script = markingScript(first.dataDir, 'broker-nodes');
      const slow = await survivor.runShellOn(agents, script.text, { maxConcurrency: '1' });
      await until(async () => (await survivor.run(slow.id)).counters.inProgress > 0, 30_000);

      // Its devices die with the first broker, so that no will is published there.
      dying.signal('SIGSTOP');
      await Promise.all([nodes.killOne(), first.server.end('SIGKILL')]);
      await dying.end('SIGKILL');
      const dead = until(
        async () => (await devicesOf('dying', 'offline')).length === DYING,
        OFFLINE_LIMIT_MS,
      );

      const [ended] = await Promise.all([
        Promise.all([slow, ...others].map(({ id }) => untilEnded(survivor, id))),
        dead,
      ]);
      for (const { state, counters } of ended) {
        expect({ state, counters }).toMatchObject({
          state: 'Success',
          counters: { success: counters.target, pending: 0, inProgress: 0 },
        });
      }
      expect(await script.countRuns()).toBe(AGENTS);
      const reasons = await devicesOf('dying', 'offline');
      expect(reasons.some(({ reason }) => reason === 'silent')).toBe(true);
      await until(async () => (await devicesOf('fleet', 'online')).length === DEVICES, 60_000);

      await installation.expectToldOnce([slow, ...others].map(({ id }) => id));
      expect(fleet.runs).toBe(true);
    },
    LIMIT_MS,
  );
});

interface Installation extends AsyncDisposable {
  readonly servers: readonly [PortalPrograms, PortalPrograms];
  readonly nodes: BrokerNodes;
  /** Resolves when all of its devices are connected. */
  readonly startFleet: (
    person: PortalPerson,
    fleet: { readonly name: string; readonly size: number },
  ) => Promise<Program>;
  /** Real agents, which enroll at the server that survives. */
  readonly startAgents: (person: PortalPerson) => Promise<string[]>;
  readonly devicesOf: (
    fleet: string,
    connectivity: string,
  ) => Promise<{ readonly id: string; readonly reason: string | null }[]>;
  /** Every device reported each step of its command once, and no journal has a gap or an entry twice. */
  readonly expectToldOnce: (runIds: readonly string[]) => Promise<void>;
}

async function startInstallation(kind: BrokerNodesKind): Promise<Installation> {
  await using starting = new AsyncDisposableStack();
  const database = starting.use(await createTestDatabase());
  const first = starting.use(await PortalPrograms.prepare());
  const second = starting.use(await PortalPrograms.prepareBeside(first));
  const nodes = await kind.start(first.dataDir, starting);
  const settings = {
    DEVICEPORTAL_DATABASE_URL: database.url,
    DEVICEPORTAL_HEARTBEAT_SECONDS: HEARTBEAT_SECONDS,
    ...nodes.settings,
  };
  await first.startServer(settings);
  await second.startServer(settings);
  const devicesOf = findDevices(database);
  const resources = starting.move();
  return {
    ...{ servers: [first, second], nodes, devicesOf },
    async startFleet(person, { name, size }) {
      const { token } = await person.mustOrder<{ token: string }>('devices.createClaim', {
        ...{ uses: size, labels: { fleet: name } },
      });
      const stateDir = join(first.dataDir, name);
      await mkdir(stateDir);
      // Random seeds would often give both fleets a serial number in common, which only one of them can enroll.
      const options = { serverUrl: second.url, stateDir, size, seed: name };
      const program = resources.use(fleetProgram(options));
      program.start({ DEVICEPORTAL_AGENT_CLAIM: token });
      let online = 0;
      const oneMore = async (): Promise<boolean> => {
        if (!program.runs) throw new Error(`the fleet ended:\n${program.output}`);
        const before = online;
        online = (await devicesOf(name, 'online')).length;
        return online > before;
      };
      while (online < size) {
        await setTimeout(POLL_MS);
        await until(oneMore, ENROLL_LIMIT_MS);
      }
      return program;
    },
    startAgents(person) {
      const names = Array.from({ length: AGENTS }, (_, index) => `node-${index}`);
      return Promise.all(
        names.map(async (name) =>
          person.untilOnline(second.startAgent(name, await person.createClaim(name))),
        ),
      );
    },
    expectToldOnce: (runIds) => expectToldOnce(database, runIds),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

const findDevices =
  ({ database }: TestDatabase): Installation['devicesOf'] =>
  (fleet, connectivity) =>
    rowsOf(
      database,
      `select device_id as id, disconnect_reason as reason
       from device_status join device_label using (device_id)
       where key = 'fleet' and value = $1 and connectivity = $2`,
      [fleet, connectivity],
    );

const untilEnded = (person: PortalPerson, id: string): Promise<RunDetail> =>
  until(async () => {
    const now = await person.run(id);
    return now.endedAt !== null && now;
  }, RUN_LIMIT_MS);

const chunksOf = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );

async function expectToldOnce(
  { database }: TestDatabase,
  runIds: readonly string[],
): Promise<void> {
  const steps = await rowsOf<{ type: string; device: string; data: Record<string, unknown> }>(
    database,
    `select type, device_id as device, data from audit_event
     where run_id = any($1) and device_id is not null`,
    [runIds],
  );
  const byDevice = Map.groupBy(steps, ({ device }) => device);
  expect(byDevice.size).toBe(AGENTS + DEVICES);
  for (const told of byDevice.values()) expect(countSteps(told)).toEqual(toldOnce);
  const [journal] = await rowsOf(
    database,
    `select count(*) filter (where type = 'device.journal-gap') as gaps,
       count(*) - count(distinct (device_id, data->>'seq')) as twice
     from audit_event where type = 'device.journal-gap' or type like 'device-event.%'`,
  );
  expect(journal).toEqual({ gaps: 0, twice: 0 });
}
