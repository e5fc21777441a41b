import { personLabel } from '@deviceportal/contract/people';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import pg from 'pg';
import { until } from '../../apps/server/tests/support/until.ts';
import { codeReaders } from '../../apps/server/tests/support/portal-api.ts';
import { PortalPerson } from '../../apps/server/tests/support/portal-person.ts';
import {
  agentProgram,
  fleetProgram,
  type Program,
} from '../../apps/server/tests/support/programs/portal-programs.ts';
import { serverNames } from '../../deploy/tests/loopback.ts';
import { ThreeServers } from '../../deploy/tests/three-servers.ts';
import type { Caller } from './support-case-steps.ts';

const ADMIN = 'ada@example.com';
const START_LIMIT_MS = 120_000;
/** By `DEVICEPORTAL_ROLES` of `deploy/settings`. */
const SERVERS_OF_ROLE = {
  web: ['one', 'two'],
  identity: ['one', 'two'],
  gateway: ['one', 'three'],
} as const;

/** The installation of `deploy/` on this machine, with devices, customers, and an administrator. */
export class BalancedPortal implements AsyncDisposable {
  readonly servers: ThreeServers;
  readonly admin: PortalPerson;
  /** Owners of simulated devices, whose clock is wrong. */
  readonly callers: readonly Caller[];
  /** A real agent with its own data folder. */
  readonly realDeviceId: string;
  readonly #resources: AsyncDisposableStack;

  private constructor(options: {
    readonly servers: ThreeServers;
    readonly admin: PortalPerson;
    readonly callers: readonly Caller[];
    readonly realDeviceId: string;
    readonly resources: AsyncDisposableStack;
  }) {
    this.servers = options.servers;
    this.admin = options.admin;
    this.callers = options.callers;
    this.realDeviceId = options.realDeviceId;
    this.#resources = options.resources;
  }

  /** @param customers each with a simulated device */
  static async start(customers: number): Promise<BalancedPortal> {
    await using resources = new AsyncDisposableStack();
    const servers = resources.use(await ThreeServers.prepare());
    const usual = getCACertificates('default');
    setDefaultCACertificates([...usual, await readFile(servers.authorityFile, 'utf8')]);
    resources.defer(() => setDefaultCACertificates(usual));
    await startByGuide(servers);
    const token = await servers.client.signIn(ADMIN, () => servers.readCode(ADMIN, 0));
    codeReaders.set(servers.url, (email) => {
      const after = servers.mails.length;
      return () => servers.readCode(email, after);
    });
    resources.defer(() => void codeReaders.delete(servers.url));
    const admin = PortalPerson.signedIn(servers.url, token);
    const owned = await startFleet(resources, { servers, admin, size: customers });
    const callers = await createOwners(servers, admin, owned);
    await makeClocksWrong(admin, owned);
    const realDeviceId = await startRealAgent(resources, { servers, admin });
    return new BalancedPortal({
      servers,
      admin,
      callers,
      realDeviceId,
      resources: resources.move(),
    });
  }

  /** @returns the email address of a new user with this role, who has not signed in yet */
  async invite(role: string): Promise<string> {
    const roles = await this.admin.mustAsk<{ id: string; name: string }[]>(
      'access.roles.list',
      undefined,
    );
    const roleId = roles.find(({ name }) => name === role)?.id ?? '';
    const identifier = `colleague-${randomUUID().slice(0, 8)}@example.com`;
    await this.admin.mustOrder('access.users.invite', {
      ...{ identifier, roleIds: [roleId], language: 'en' },
    });
    return identifier;
  }

  rows<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return rowsOf<Row>(this.servers, text, values);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}

/** The steps of docs/guides/several-servers.md. */
async function startByGuide(servers: ThreeServers): Promise<void> {
  await servers.migrate();
  await servers.command('admin', 'create', ADMIN);
  await servers.startBalancer();
  servers.start('one');
  // It creates its secrets, and ends without a broker.
  await servers.servers.one.ended();
  const { output } = servers.servers.one;
  if (!output.includes('Cannot connect to DEVICEPORTAL_MQTT_URL')) throw new Error(output);
  await servers.startBroker();
  servers.start('one');
  await servers.untilReady('one');
  await servers.copySecrets();
  for (const name of ['two', 'three'] as const) servers.start(name);
  await Promise.all(serverNames.map((name) => servers.untilReady(name)));
  // The load balancer finds that out by checks of its own, for each group separately.
  for (const [role, names] of Object.entries(SERVERS_OF_ROLE)) {
    await until(
      async () => (await servers.readGroup(role)).join() === names.join(),
      START_LIMIT_MS,
    );
  }
}

interface Place {
  readonly servers: ThreeServers;
  readonly admin: PortalPerson;
}

interface OwnedDevice {
  readonly id: string;
  readonly serialNumber: string;
}

async function startFleet(
  resources: AsyncDisposableStack,
  { servers, admin, size }: Place & { readonly size: number },
): Promise<readonly OwnedDevice[]> {
  const { token } = await admin.mustOrder<{ token: string }>('devices.createClaim', { uses: size });
  const stateDir = join(servers.folder, 'fleet');
  await mkdir(stateDir);
  const options = { serverUrl: servers.url, stateDir, size, instant: false };
  const fleet = resources.use(fleetProgram(options));
  startDevice(fleet, servers, token);
  return until(async () => {
    if (!fleet.runs) throw new Error(`the fleet ended:\n${fleet.output}`);
    const online = await rowsOf<OwnedDevice>(
      servers,
      `select device.id, serial_number as "serialNumber"
       from device join device_status on device_id = device.id where connectivity = 'online'`,
    );
    return online.length === size && online;
  }, START_LIMIT_MS);
}

async function createOwners(
  servers: ThreeServers,
  admin: PortalPerson,
  devices: readonly OwnedDevice[],
): Promise<readonly Caller[]> {
  const callers = devices.map((device, index) => {
    const ownerId = randomUUID();
    const name = `Customer ${String.fromCodePoint(0x41 + (index % 26))}${index}`;
    const phone = `+4812345${String(index).padStart(4, '0')}`;
    const label = personLabel({ name, email: `${ownerId}@example.com` });
    return { device, ownerId, name, label, phone };
  });
  for (const { device, ownerId, name, phone } of callers) {
    await rowsOf(
      servers,
      `insert into person (id, username, name, email, phone, country)
       values ($1, $2, $2, $3, $4, 'PL')`,
      [ownerId, name, `${ownerId}@example.com`, phone],
    );
    await admin.mustOrder('devices.update', { id: device.id, ownerId });
  }
  return callers;
}

async function makeClocksWrong(
  admin: PortalPerson,
  devices: readonly OwnedDevice[],
): Promise<void> {
  const ids = devices.map(({ id }) => id);
  const { id } = await admin.runShellOn(ids, "date -s '+40 minutes'");
  await until(async () => (await admin.run(id)).endedAt !== null, START_LIMIT_MS);
}

async function startRealAgent(
  resources: AsyncDisposableStack,
  { servers, admin }: Place,
): Promise<string> {
  const stateDir = join(servers.folder, 'agent');
  const agent = resources.use(agentProgram(['--server', servers.url, '--state-dir', stateDir]));
  startDevice(agent, servers, await admin.createClaim('real'));
  return admin.untilOnline({
    identity: async () =>
      JSON.parse(
        await until(
          () => readFile(join(stateDir, 'identity.json'), 'utf8').catch(() => ''),
          60_000,
        ),
      ),
  });
}

function startDevice(program: Program, servers: ThreeServers, claim: string): void {
  program.start({
    DEVICEPORTAL_AGENT_CLAIM: claim,
    NODE_EXTRA_CA_CERTS: servers.authorityFile,
  });
}

async function rowsOf<Row extends pg.QueryResultRow>(
  { databaseUrl }: ThreeServers,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
