import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunDetail } from '@deviceportal/contract/runs';
import { openCertificateAuthority } from '../../src/gateway/certificate-authority.ts';
import { createTestDatabase, type TestDatabase } from '../support/create-test-database.ts';
import { rowsOf, until } from '../support/gateway-bed.ts';
import { hasMosquitto, Mosquitto } from '../support/mosquitto.ts';
import { countSteps, PortalPerson, toldOnce } from '../support/portal-person.ts';
import { PortalPrograms, type AgentProgram } from '../support/portal-programs.ts';
import { markingScript } from '../support/slow-script.ts';

const LIMIT_MS = 120_000;
const DEVICES = 4;
const resources = new AsyncDisposableStack();
let database: TestDatabase;
let servers: readonly [PortalPrograms, PortalPrograms];
let people: readonly [PortalPerson, PortalPerson];
let deviceIds: string[];
let settings: Record<string, string>;

if (!hasMosquitto) {
  process.stdout.write('Skipped: the test of two servers needs the program mosquitto.\n');
}

beforeAll(async () => {
  if (!hasMosquitto) return;
  database = resources.use(await createTestDatabase());
  const first = resources.use(await PortalPrograms.prepare());
  const second = resources.use(await PortalPrograms.prepareBeside(first));
  servers = [first, second];
  settings = await behindMosquitto(first.dataDir);
  await first.startServer(settings);
  await second.startServer(settings);
  people = [await PortalPerson.signIn(first.url), await PortalPerson.signIn(second.url)];
  const agents: AgentProgram[] = [];
  for (let index = 1; index <= DEVICES; index += 1)
    agents.push(first.startAgent(`d${index}`, await people[0].createClaim(`d${index}`)));
  deviceIds = await Promise.all(agents.map((agent) => people[0].untilOnline(agent)));
}, LIMIT_MS);
afterAll(() => resources.disposeAsync(), LIMIT_MS);

async function behindMosquitto(dataDir: string): Promise<Record<string, string>> {
  const directory = join(dataDir, 'mosquitto');
  await mkdir(directory);
  await chmod(directory, 0o755);
  const authority = await openCertificateAuthority({ dataDir, hosts: [] });
  const { access } = resources.use(await Mosquitto.start({ directory, authority }));
  return {
    DEVICEPORTAL_DATABASE_URL: database.url,
    DEVICEPORTAL_MQTT_URL: access.url,
    DEVICEPORTAL_MQTT_CA_FILE: access.caFile,
    DEVICEPORTAL_MQTT_CERTIFICATE_FILE: access.certificateFile,
    DEVICEPORTAL_MQTT_KEY_FILE: access.keyFile,
  };
}

test.skipIf(!hasMosquitto).each([
  { killed: 0, name: 'the server that was asked' },
  { killed: 1, name: 'the other server' },
] as const)(
  '[two-servers-1] kill -9 of $name in the middle of a run: every device runs it once, and all of it is told once',
  async ({ killed }) => {
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
    await servers[killed].startServer(settings);
  },
  LIMIT_MS,
);
