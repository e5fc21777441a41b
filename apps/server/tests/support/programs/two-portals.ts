import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openCertificateAuthority } from '../../../src/gateway/certificates/certificate-authority.ts';
import { createFileSecrets } from '../../../src/platform/secrets/file-secret-engine.ts';
import { createTestDatabase, type TestDatabase } from '../database/create-test-database.ts';
import { Mosquitto } from '../brokers/mosquitto.ts';
import { PortalPerson } from '../portal-person.ts';
import { PortalPrograms } from './portal-programs.ts';

/** Two servers of one installation with one database and one Mosquitto, and agents that survive them both. */
export interface TwoPortals extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly servers: readonly [PortalPrograms, PortalPrograms];
  /** The administrator on each server. */
  readonly people: readonly [PortalPerson, PortalPerson];
  /** Devices of the agents, which are online. */
  readonly deviceIds: readonly string[];
  /** Starts a killed server, and resolves when it is ready. */
  readonly restart: (server: 0 | 1) => Promise<void>;
}

/** @param devices number of agents to start */
export async function startTwoPortals(devices: number): Promise<TwoPortals> {
  await using starting = new AsyncDisposableStack();
  const database = starting.use(await createTestDatabase());
  const first = starting.use(await PortalPrograms.prepare());
  const second = starting.use(await PortalPrograms.prepareBeside(first));
  const servers = [first, second] as const;
  const settings = {
    DEVICEPORTAL_DATABASE_URL: database.url,
    ...(await behindMosquitto(first.dataDir, starting)),
  };
  await first.startServer(settings);
  const one = await PortalPerson.signIn(first.url);
  const agents = [];
  for (let index = 1; index <= devices; index += 1) {
    agents.push(first.startAgent(`d${index}`, await one.createClaim(`d${index}`)));
  }
  await second.startServer(settings);
  const people = [one, await PortalPerson.signIn(second.url)] as const;
  const deviceIds = await Promise.all(agents.map((agent) => one.untilOnline(agent)));
  const resources = starting.move();
  return {
    database,
    servers,
    people,
    deviceIds,
    restart: (server) => servers[server].startServer(settings),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function behindMosquitto(
  dataDir: string,
  resources: AsyncDisposableStack,
): Promise<Record<string, string>> {
  const directory = join(dataDir, 'mosquitto');
  await mkdir(directory);
  await chmod(directory, 0o755);
  const authority = await openCertificateAuthority({
    store: createFileSecrets(dataDir),
    hosts: [],
  });
  const { access } = resources.use(await Mosquitto.start({ directory, authority }));
  return {
    DEVICEPORTAL_MQTT_URL: access.url,
    DEVICEPORTAL_MQTT_CA_FILE: access.caFile,
    DEVICEPORTAL_MQTT_CERTIFICATE_FILE: access.certificateFile,
    DEVICEPORTAL_MQTT_KEY_FILE: access.keyFile,
  };
}
