import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunDetail } from '@deviceportal/contract/runs';
import { openCertificateAuthority } from '../../src/gateway/certificates/certificate-authority.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';
import { hasMosquitto, Mosquitto } from '../support/brokers/mosquitto.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { rowsOf, until } from '../support/gateway-fixture.ts';
import { countSteps, PortalPerson, toldOnce } from '../support/portal-person.ts';
import { fleetProgram, PortalPrograms, type Program } from '../support/portal-programs.ts';
import { markingScript } from '../support/slow-script.ts';

const LIMIT_MS = 240_000;
const AGENTS = 3;
/** The acceptance test of several brokers uses 1,000. */
const DEVICES = Number(process.env['DEVICEPORTAL_TEST_FLEET'] ?? 60);
/** Enough that some of them are connected to each broker. */
const DYING = 30;
/** Larger runs need an approval. */
const DEVICES_OF_RUN = 90;
/** The default is 20, with which the same takes a minute. */
const HEARTBEAT_SECONDS = process.env['DEVICEPORTAL_TEST_HEARTBEAT_SECONDS'] ?? '5';

const resources = new AsyncDisposableStack();
let database: TestDatabase;
let nodes: readonly Mosquitto[];
let servers: readonly [PortalPrograms, PortalPrograms];

if (!hasMosquitto) {
  process.stdout.write('Skipped: the test of several brokers needs the program mosquitto.\n');
}

beforeAll(async () => {
  if (hasMosquitto) await startInstallation();
}, LIMIT_MS);
afterAll(() => resources.disposeAsync(), LIMIT_MS);

test.skipIf(!hasMosquitto)(
  'three independent brokers and two gateways: one of each is killed, nothing is lost or told twice, and dead devices are offline',
  async () => {
    const [first, second] = servers;
    const survivor = await PortalPerson.signIn(second.url);
    const fleet = await startFleet(survivor, { name: 'fleet', size: DEVICES });
    const dying = await startFleet(survivor, { name: 'dying', size: DYING });
    const agents = await startAgents(survivor);
    const surviving = await until(async () => {
      const connected = await devicesOf('fleet', 'online');
      return connected.length === DEVICES && connected.map(({ id }) => id);
    }, 60_000);

    const script = markingScript(first.dataDir, 'broker-nodes');
    const slow = await survivor.runShellOn(agents, script.text, { maxConcurrency: '1' });
    const others: RunDetail[] = [];
    for (let from = 0; from < DEVICES; from += DEVICES_OF_RUN) {
      const some = surviving.slice(from, from + DEVICES_OF_RUN);
      others.push(await survivor.runShellOn(some, 'uptime', { maxConcurrency: '5' }));
    }
    await until(async () => (await survivor.run(slow.id)).counters.inProgress > 0, 30_000);

    // Its devices die with the first broker, so that no will is published there.
    dying.signal('SIGSTOP');
    await Promise.all([nodes[0]?.kill(), first.server.end('SIGKILL')]);
    await dying.end('SIGKILL');

    for (const { id, counters } of [slow, ...others]) {
      expect(await untilEnded(survivor, id)).toMatchObject({
        state: 'Success',
        counters: { success: counters.target, pending: 0, inProgress: 0 },
      });
    }
    expect(await script.countRuns()).toBe(AGENTS);
    await until(async () => (await devicesOf('dying', 'offline')).length === DYING, 60_000);
    const reasons = await devicesOf('dying', 'offline');
    expect(reasons.some(({ reason }) => reason === 'silent')).toBe(true);
    await until(async () => (await devicesOf('fleet', 'online')).length === DEVICES, 60_000);

    await expectToldOnce([slow, ...others].map(({ id }) => id));
    expect(fleet.runs).toBe(true);
  },
  LIMIT_MS,
);

async function startInstallation(): Promise<void> {
  database = resources.use(await createTestDatabase());
  const first = resources.use(await PortalPrograms.prepare());
  const second = resources.use(await PortalPrograms.prepareBeside(first));
  servers = [first, second];
  nodes = await Promise.all(['one', 'two', 'three'].map((name) => startBroker(first, name)));
  const [access] = nodes.map((node) => node.access);
  const settings = {
    DEVICEPORTAL_DATABASE_URL: database.url,
    DEVICEPORTAL_MQTT_URL: nodes.map((node) => node.access.url).join(','),
    DEVICEPORTAL_MQTT_NODES: 'each',
    DEVICEPORTAL_MQTT_CA_FILE: access?.caFile ?? '',
    DEVICEPORTAL_MQTT_CERTIFICATE_FILE: access?.certificateFile ?? '',
    DEVICEPORTAL_MQTT_KEY_FILE: access?.keyFile ?? '',
    DEVICEPORTAL_HEARTBEAT_SECONDS: HEARTBEAT_SECONDS,
  };
  await first.startServer(settings);
  await second.startServer(settings);
}

async function startBroker({ dataDir }: PortalPrograms, name: string): Promise<Mosquitto> {
  const directory = join(dataDir, name);
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o755);
  const store = createFileSecrets(dataDir);
  const authority = await openCertificateAuthority({ store, hosts: [] });
  return resources.use(await Mosquitto.start({ directory, authority }));
}

/** Resolves when all of its devices are connected. */
async function startFleet(
  person: PortalPerson,
  { name, size }: { readonly name: string; readonly size: number },
): Promise<Program> {
  const [{ dataDir }, { url }] = servers;
  const { token } = await person.mustOrder<{ token: string }>('devices.createClaim', {
    ...{ uses: size, labels: { fleet: name } },
  });
  const stateDir = join(dataDir, name);
  await mkdir(stateDir);
  const program = resources.use(fleetProgram({ serverUrl: url, stateDir, size }));
  program.start({ DEVICEPORTAL_AGENT_CLAIM: token });
  await until(async () => {
    if (!program.runs) throw new Error(`the fleet ended:\n${program.output}`);
    return (await devicesOf(name, 'online')).length === size;
  }, 120_000);
  return program;
}

/** Real agents, which enroll at the server that survives. */
async function startAgents(person: PortalPerson): Promise<string[]> {
  const names = Array.from({ length: AGENTS }, (_, index) => `node-${index}`);
  return Promise.all(
    names.map(async (name) =>
      person.untilOnline(servers[1].startAgent(name, await person.createClaim(name))),
    ),
  );
}

function devicesOf(
  fleet: string,
  connectivity: string,
): Promise<{ readonly id: string; readonly reason: string | null }[]> {
  return rowsOf(
    database.database,
    `select device_id as id, disconnect_reason as reason
     from device_status join device_label using (device_id)
     where key = 'fleet' and value = $1 and connectivity = $2`,
    [fleet, connectivity],
  );
}

const untilEnded = (person: PortalPerson, id: string): Promise<RunDetail> =>
  until(async () => {
    const now = await person.run(id);
    return now.endedAt !== null && now;
  }, 90_000);

/** Every device reported each step of its command once, and no journal has a gap or an entry twice. */
async function expectToldOnce(runIds: readonly string[]): Promise<void> {
  const steps = await rowsOf<{ type: string; device: string; data: Record<string, unknown> }>(
    database.database,
    `select type, device_id as device, data from audit_event
     where run_id = any($1) and device_id is not null`,
    [runIds],
  );
  const byDevice = Map.groupBy(steps, ({ device }) => device);
  expect(byDevice.size).toBe(AGENTS + DEVICES);
  for (const told of byDevice.values()) expect(countSteps(told)).toEqual(toldOnce);
  const [journal] = await rowsOf(
    database.database,
    `select count(*) filter (where type = 'device.journal-gap') as gaps,
       count(*) - count(distinct (device_id, data->>'seq')) as twice
     from audit_event where type = 'device.journal-gap' or type like 'device-event.%'`,
  );
  expect(journal).toEqual({ gaps: 0, twice: 0 });
}
