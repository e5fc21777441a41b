import 'reflect-metadata';
import { fork } from 'node:child_process';
import { webcrypto } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { newId, newInstanceId } from '@deviceportal/contract/ids';
import {
  openCertificateAuthority,
  type CertificateAuthority,
} from '../apps/server/src/gateway/certificates/certificate-authority.ts';
import { createFileSecrets } from '../apps/server/src/platform/secrets/file-secret-engine.ts';
import type { GatewayLogger } from '../apps/server/src/gateway/gateway-logger.ts';
import { openPersonalKeys } from '../apps/server/src/personal-data/keys/personal-keys-of.ts';
import { openDatabase, type Database } from '../apps/server/src/platform/database/database.ts';
import { startEmbeddedPostgres } from '../apps/server/src/platform/database/embedded-postgres.ts';
import { migrateDatabase } from '../apps/server/src/platform/database/migrate-database.ts';
import type { FromLoad, LoadDevice, ToLoad } from './device-load.ts';
import type { DeviceTransportHandlers } from '../apps/server/src/gateway/device-transport.ts';
import { describeConnection } from '../apps/server/src/gateway/connection-settings.ts';
import { profiledSettings } from './support/profile-work.ts';

export const benchConnection = describeConnection({
  brokerUrls: ['mqtts://localhost:8883'],
  subscriptionQos: 1,
  heartbeatSeconds: 60,
});

export const benchLogger: GatewayLogger = {
  info() {},
  warn: (facts, message) => console.warn(message, facts),
  error: (facts, message) => console.error(message, facts),
};

/** In place of a gateway: every device may connect, and its messages are dropped. */
export const admitAll: DeviceTransportHandlers = {
  up: async () => {},
  admit: async (requests) => requests.map(() => true),
  refused: () => {},
  overflowed: () => {},
  reset: () => {},
};

export interface BenchDevice extends LoadDevice {
  readonly fingerprint: string;
}

export interface BenchFleet {
  readonly authority: CertificateAuthority;
  /** One key for all devices; only their certificates differ. */
  readonly key: string;
  readonly devices: readonly BenchDevice[];
}

export async function openTempDir(resources: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'dp-bench-'));
  await chmod(directory, 0o755);
  resources.defer(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** A separate durable database with all tables. */
export async function openBenchDatabase(
  resources: AsyncDisposableStack,
  dataDir: string,
): Promise<Database> {
  const server = resources.use(
    await startEmbeddedPostgres({ dataDir, settings: profiledSettings }),
  );
  const database = resources.use(openDatabase({ url: server.url, maxConnections: 12 }));
  openPersonalKeys(database, new Uint8Array(32));
  await migrateDatabase(database);
  return database;
}

/** A private key and a certificate request for it, PEM. */
export async function createKey(): Promise<{ readonly key: string; readonly request: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: 'CN=bench',
    keys,
    signingAlgorithm: algorithm,
  });
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`;
  return { key, request: request.toString('pem') };
}

export const createFleet = (dataDir: string, count: number): Promise<BenchFleet> =>
  certifyFleet(
    dataDir,
    Array.from({ length: count }, () => ({ deviceId: newId(), instanceId: newInstanceId() })),
  );

/** Certificates for devices. */
export async function certifyFleet(
  dataDir: string,
  identities: readonly Pick<LoadDevice, 'deviceId' | 'instanceId'>[],
): Promise<BenchFleet> {
  const authority = await openCertificateAuthority({
    store: createFileSecrets(dataDir),
    hosts: [],
  });
  const { key, request: pem } = await createKey();
  const devices: BenchDevice[] = [];
  for (const { deviceId, instanceId } of identities) {
    const { certificate, fingerprint } = await authority.sign(pem, { deviceId, instanceId: null });
    devices.push({ deviceId, instanceId, certificate, fingerprint });
  }
  return { authority, key, devices };
}

export async function storeFleet({ pool }: Database, { devices }: BenchFleet): Promise<void> {
  const rows = JSON.stringify(devices.map(({ certificate: _pem, ...device }) => device));
  const input = `jsonb_to_recordset($1::jsonb) as d("deviceId" uuid, "instanceId" text, fingerprint text)`;
  await pool.query(
    `insert into device (id, name, lifecycle, serial_rank) select "deviceId", 'bench', 'active', '~' || "deviceId" from ${input}`,
    [rows],
  );
  await pool.query(
    `insert into device_instance (id, device_id, state, platform_type, platform_name, platform_version,
       architecture, agent_version, host_name, certificate_fingerprint, certificate_ends_at)
     select "instanceId", "deviceId", 'current', 'Linux', 'Bench', '1', 'x64', '1.0.0', 'bench', fingerprint,
       now() + interval '90 days' from ${input}`,
    [rows],
  );
  await pool.query(
    `insert into device_status (device_id, name, lifecycle, instance_id)
     select "deviceId", 'bench', 'active', "instanceId" from ${input}
     on conflict (device_id) do update set lifecycle = 'active', instance_id = excluded.instance_id`,
    [rows],
  );
  await pool.query('analyze');
}

/** The load process: send it commands and wait for its messages. */
export interface Load extends AsyncDisposable {
  readonly ask: <Kind extends FromLoad['kind']>(
    order: ToLoad,
    answer: Kind,
  ) => Promise<Extract<FromLoad, { kind: Kind }>>;
  /** Without an answer. */
  readonly begin: (order: ToLoad) => void;
}

export function startLoad(): Load {
  const child = fork(new URL('device-load.ts', import.meta.url), {
    serialization: 'advanced',
    stdio: 'inherit',
  });
  return {
    begin: (order) => void child.send(order),
    ask(order, answer) {
      child.send(order);
      return new Promise((resolve, reject) => {
        const fail = (): void => reject(new Error('the load process ended'));
        const hear = (message: FromLoad): void => {
          if (message.kind !== answer) return;
          child.off('message', hear);
          child.off('exit', fail);
          resolve(message as never);
        };
        child.once('exit', fail);
        child.on('message', hear);
      });
    },
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => {
        child.once('exit', resolve);
      });
      child.send({ kind: 'stop' } satisfies ToLoad);
      await ended;
    },
  };
}

export function printRatio(
  name: string,
  ratio: number,
  limit: { atMost?: number; atLeast?: number },
): void {
  const held =
    (limit.atMost === undefined || ratio <= limit.atMost) &&
    (limit.atLeast === undefined || ratio >= limit.atLeast);
  const bound =
    limit.atMost === undefined ? `at least ${limit.atLeast}` : `at most ${limit.atMost}`;
  console.log(`${name}: ${ratio.toFixed(2)} (${bound}) ${held ? 'held' : 'NOT HELD'}`);
  if (!held) process.exitCode = 1;
}
