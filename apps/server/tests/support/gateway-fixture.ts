import 'reflect-metadata';
import { randomUUID, webcrypto } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import mqtt, { type MqttClient } from 'mqtt';
import { newId, newInstanceId } from '@deviceportal/contract/ids';
import type { AckMessage, JournalDraft } from '@deviceportal/device-protocol/journal';
import type { ConnectionMessage, StatusMessage } from '@deviceportal/device-protocol/messages';
import { downFilter, upTopic, type UpChannel } from '@deviceportal/device-protocol/topics';
import {
  createDispatcher,
  type Dispatcher,
  type DispatcherDependencies,
} from '../../src/commands/execution/dispatcher.ts';
import type { RunSigning } from '../../src/commands/signing/run-signing.ts';
import {
  openCertificateAuthority,
  type RotatingCertificateAuthority,
} from '../../src/gateway/certificates/certificate-authority.ts';
import type { SecretEngine } from '../../src/platform/secrets/secret-engine.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';
import {
  openEmbeddedBroker,
  type EmbeddedBroker,
  type EmbeddedBrokerOptions,
} from '../../src/gateway/embedded-transport.ts';
import type { DeviceTransport } from '../../src/gateway/device-transport.ts';
import { describeConnection } from '../../src/gateway/connection-settings.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../../src/gateway/gateway.ts';
import type { GatewayLogger } from '../../src/gateway/gateway-logger.ts';
import { createLocalChangeFeed, type ChangeFeed } from '../../src/platform/change-feed.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { sendFileRequests } from '../../src/device-files/file-request-sender.ts';
import { FileAnswers } from '../../src/device-files/ingest-file-answers.ts';
import { TerminalIngest } from '../../src/terminals/ingest-terminal-messages.ts';
import { TerminalSender } from '../../src/terminals/terminal-lines.ts';
import { WebPageIngest } from '../../src/web-pages/ingest-web-page-messages.ts';
import { WebPageSender } from '../../src/web-pages/web-page-lines.ts';
import { createTestDatabase } from './database/create-test-database.ts';
import { testDeviceKeys, testRunSigning } from './run-signing.ts';

export { until } from './until.ts';

export const quietLogger: GatewayLogger = { info() {}, warn() {}, error() {} };

export interface GatewayFixture extends AsyncDisposable {
  readonly database: Database;
  /** The same database with the permissions of its owner. */
  readonly owner: Database;
  readonly changes: ChangeFeed;
  readonly authority: RotatingCertificateAuthority;
  /** Contains the key of the authority. */
  readonly secrets: SecretEngine;
  readonly dataDir: string;
  readonly broker: EmbeddedBroker;
  /** What devices connect to. */
  readonly connection: ConnectionMessage;
  readonly dispatcher: Dispatcher;
  readonly gateway: Gateway;
  readonly terminalLines: TerminalSender;
  readonly webPageLines: WebPageSender;
}

interface OpenBroker extends AsyncDisposable {
  readonly deviceUrls: readonly string[];
  readonly subscriptionQos: 0 | 1;
  readonly transport: DeviceTransport;
}

export type GatewayFixtureOptions = Pick<
  GatewayOptions,
  'countries' | 'journalQuota' | 'overflowWindowMs' | 'keyIntervalMs' | 'meter'
> &
  Pick<EmbeddedBrokerOptions, 'connections'> &
  Partial<
    Pick<DispatcherDependencies, 'vault'> & {
      signing: RunSigning;
      logger: GatewayLogger;
      /** The clock of the authority. */
      clock: () => Date;
      /** Another broker than the embedded one, which is then not used. */
      openEngine: (options: {
        readonly directory: string;
        readonly authority: RotatingCertificateAuthority;
      }) => Promise<OpenBroker>;
    }
  >;

/** The real gateway and dispatcher on a fresh database: TLS, certificates, broker thread. */
export async function openGatewayFixture(
  options: GatewayFixtureOptions = {},
): Promise<GatewayFixture> {
  const { vault = plainVault, signing = testRunSigning(), connections, clock, ...others } = options;
  const { openEngine, ...rest } = others;
  const { logger = quietLogger } = options;
  await using cleanup = new AsyncDisposableStack();
  const { database, owner } = cleanup.use(await createTestDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'dp-gateway-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const changes = createLocalChangeFeed((error) => {
    throw error;
  });
  const secrets = createFileSecrets(dataDir);
  const authority = await openCertificateAuthority({
    store: secrets,
    hosts: [],
    ...(clock && { clock }),
  });
  const broker = cleanup.use(
    await openEmbeddedBroker({
      logger,
      devices: { host: '127.0.0.1', port: 0, authority },
      ...(connections && { connections }),
    }),
  );
  const engine = openEngine
    ? cleanup.use(await openEngine({ directory: dataDir, authority }))
    : undefined;
  const transport = engine?.transport ?? broker.devices;
  const connection = describeConnection({
    brokerUrls: [...(engine?.deviceUrls ?? [`mqtts://127.0.0.1:${broker.tlsPort}`])],
    subscriptionQos: engine?.subscriptionQos ?? 1,
    heartbeatSeconds: 60,
  });
  const dispatcher = cleanup.use(
    createDispatcher({
      database,
      changes,
      transport,
      vault,
      signing,
      logger,
      artefactUploadUrl: (id) => `/artefacts/${id}?valid=yes`,
      pollIntervalMs: 300,
      resendAfterSeconds: 1,
    }),
  );
  const terminalLines = cleanup.use(new TerminalSender(changes));
  terminalLines.connect((messages) => transport.publish(messages));
  const webPageLines = cleanup.use(new WebPageSender(changes));
  webPageLines.connect((messages) => transport.publish(messages));
  const publish: DeviceTransport['publish'] = (messages) => transport.publish(messages);
  const onError = (error: unknown): void => logger.error({ err: error }, 'file request not sent');
  cleanup.use(sendFileRequests({ database, changes, publish, onError }));
  const gateway = cleanup.use(
    await createGateway({
      files: (refuse) => new FileAnswers({ database, changes, publish, refuse }),
      webPages: (refuse) =>
        cleanup.use(new WebPageIngest({ database, changes, webPageLines, refuse })),
      terminals: (refuse) =>
        new TerminalIngest({
          ...{ database, changes, terminalLines, refuse },
          recent: terminalLines.recent,
        }),
      ...{ database, changes, transport },
      // Test devices renew immediately when the authority is rotated.
      authority: Object.assign(authority, { renewWithinSeconds: 0 }),
      logger,
      deviceKeys: testDeviceKeys(signing.keys),
      connection,
      clock: () => new Date(),
      onConnected: dispatcher.devicesConnected,
      heartbeatWaitMs: 20,
      gapPatienceMs: 200,
      ...rest,
    }),
  );
  const owned = cleanup.move();
  return {
    ...{ database, owner, changes, authority, secrets, dataDir, broker, connection },
    ...{ dispatcher, gateway, terminalLines, webPageLines },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Parameters without secrets. */
export const plainVault = {
  open: (_runId: string, stored: Readonly<Record<string, unknown>>) => stored as never,
  openText: (_owner: string, box: string) => box,
  secretTexts: () => [],
};

export async function createRequest(): Promise<{ key: string; request: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: 'CN=device',
    keys,
    signingAlgorithm: algorithm,
  });
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`;
  return { key, request: request.toString('pem') };
}

export interface EnrolledDevice {
  readonly deviceId: string;
  readonly instanceId: string;
  readonly key: string;
  readonly certificate: string;
}

export async function enrollTestDevice(
  { database, authority }: Pick<GatewayFixture, 'database' | 'authority'>,
  name = 'device',
): Promise<EnrolledDevice> {
  const { key, request } = await createRequest();
  const deviceId = newId();
  const instanceId = newInstanceId();
  const issued = await authority.sign(request, { deviceId, instanceId: null });
  await seedDevices(database, [{ deviceId, instanceId, name, fingerprint: issued.fingerprint }]);
  return { deviceId, instanceId, key, certificate: issued.certificate };
}

export interface SeedDevice {
  readonly deviceId: string;
  readonly instanceId: string;
  readonly name: string;
  readonly fingerprint?: string;
  readonly country?: string;
  readonly connectivity?: string;
}

export async function seedDevices(
  { pool }: Pick<Database, 'pool'>,
  devices: readonly SeedDevice[],
): Promise<void> {
  const rows = JSON.stringify(devices);
  const input = `jsonb_to_recordset($1::jsonb) as d("deviceId" uuid, "instanceId" text, name text,
    fingerprint text, country text, connectivity text)`;
  await pool.query(
    `insert into device (id, name, lifecycle, serial_rank, country)
     select "deviceId", name, 'active', '~' || "deviceId", country from ${input}`,
    [rows],
  );
  await pool.query(
    `insert into device_instance (id, device_id, state, platform_type, platform_name, platform_version,
       architecture, agent_version, host_name, certificate_fingerprint, certificate_ends_at, enrolled_at)
     select "instanceId", "deviceId", 'current', 'Linux', 'Test', '1', 'x64', '1.0.0', name,
       coalesce(fingerprint, ''), now() + interval '90 days', now() - interval '1 day' from ${input}`,
    [rows],
  );
  await pool.query(
    `insert into device_status (device_id, name, lifecycle, instance_id, country, connectivity)
     select "deviceId", name, 'active', "instanceId", country, coalesce(connectivity, 'never') from ${input}
     on conflict (device_id) do update set name = excluded.name, lifecycle = 'active',
       instance_id = excluded.instance_id, country = excluded.country, connectivity = excluded.connectivity`,
    [rows],
  );
}

export interface SeedRun {
  readonly deviceIds: readonly string[];
  readonly maxConcurrency?: string;
  readonly maxErrors?: string;
  readonly deliverySeconds?: number;
  readonly executionTimeoutSeconds?: number;
  readonly expiresSeconds?: number;
}

export interface SeededRun {
  readonly runId: string;
  readonly invocationIds: readonly string[];
}

/** Rows as created for a run. */
export async function seedRun({ pool }: Pick<Database, 'pool'>, run: SeedRun): Promise<SeededRun> {
  await pool.query(
    `insert into document (name, state, default_version, latest_version, updated_by)
     values ('test', 'active', 1, 1, 'test') on conflict do nothing`,
  );
  await pool.query(
    `insert into document_version (document_name, version, format, content, parsed, sha256, consequence, state, created_by)
     values ('test', 1, 'JSON', '{}', '{"schemaVersion":"2.2","mainSteps":[]}', '', 'reads', 'active', 'test')
     on conflict do nothing`,
  );
  const runId = newId();
  const delivery = run.deliverySeconds ?? 3_600;
  const expires = run.expiresSeconds ?? delivery + (run.executionTimeoutSeconds ?? 3_600);
  await pool.query(
    `insert into command_run (id, idempotency_key, command, document_name, document_version, document_sha256,
       consequence, target, target_sha256, max_concurrency, max_errors, timeout_seconds, execution_timeout_seconds,
       state, status_details, target_count, pending_count, created_by_id, created_by, request_id, deliver_before, expires_at)
     values ($1, $2, 'shell', 'test', 1, '', 'reads', '{}', '', $3, $4, 3600, $5, 'Pending', 'Pending', $6, $6,
       $2, 'tester', 'r', now() + make_interval(secs => $7), now() + make_interval(secs => $8))`,
    [
      runId,
      randomUUID(),
      run.maxConcurrency ?? '50',
      run.maxErrors ?? '0',
      run.executionTimeoutSeconds ?? 3_600,
      run.deviceIds.length,
      delivery,
      expires,
    ],
  );
  const invocationIds = run.deviceIds.map(() => newId());
  await pool.query(
    `insert into invocation (id, run_id, device_id, state, status_details, queued_at, deliver_before, expires_at)
     select i.id, $1, i.device, 'Pending', 'Pending', now(), now() + make_interval(secs => $4),
       now() + make_interval(secs => $5)
     from unnest($2::uuid[], $3::uuid[]) as i(id, device)`,
    [runId, invocationIds, run.deviceIds, delivery, expires],
  );
  return { runId, invocationIds };
}

/** A device with the protocol of the agent. */
export class TestDevice implements AsyncDisposable {
  readonly deviceId: string;
  readonly instanceId: string;
  readonly client: MqttClient;
  readonly connectionId = randomUUID();
  readonly messages: { readonly channel: string; readonly body: Record<string, unknown> }[] = [];
  readonly epoch: string;
  seq: number;

  constructor(
    device: EnrolledDevice,
    client: MqttClient,
    journal?: { epoch: string; seq: number },
  ) {
    this.deviceId = device.deviceId;
    this.instanceId = device.instanceId;
    this.client = client;
    this.epoch = journal?.epoch ?? randomUUID();
    this.seq = journal?.seq ?? 0;
    client.on('message', (topic, payload) => {
      const channel = topic.split('/').at(-1) ?? '';
      this.messages.push({ channel, body: JSON.parse(payload.toString()) });
    });
  }

  status(state: 'online' | 'offline', reason: StatusMessage['reason'] = null): StatusMessage {
    const { connectionId, instanceId } = this;
    return { state, connectionId, instanceId, agentVersion: '1.0.0', reason };
  }

  async say(channel: UpChannel, body: unknown): Promise<void> {
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    await this.client.publishAsync(upTopic(this.deviceId, channel), payload, { qos: 1 });
  }

  number(drafts: readonly JournalDraft[]): object[] {
    return drafts.map((draft) => {
      this.seq += 1;
      return { seq: this.seq, at: new Date().toISOString(), ...draft };
    });
  }

  async journal(...drafts: readonly JournalDraft[]): Promise<void> {
    await this.entries(this.number(drafts));
  }

  async entries(entries: readonly object[]): Promise<void> {
    await this.say('journal', { instanceId: this.instanceId, epoch: this.epoch, entries });
  }

  get ackedUpTo(): number {
    const acks = this.messages.filter(({ channel }) => channel === 'ack');
    return Math.max(0, ...acks.map(({ body }) => (body as unknown as AckMessage).upTo));
  }

  commands(): Record<string, unknown>[] {
    return this.messages.filter(({ channel }) => channel === 'command').map(({ body }) => body);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.endAsync(true);
  }
}

export interface ConnectOptions {
  readonly clientId?: string;
  readonly reconnectPeriod?: number;
  readonly birth?: boolean;
  readonly journal?: { readonly epoch: string; readonly seq: number };
}

export async function connectDevice(
  setup: Pick<GatewayFixture, 'broker' | 'authority'>,
  device: EnrolledDevice,
  options: ConnectOptions = {},
): Promise<TestDevice> {
  const connectionId = randomUUID();
  const offline = {
    state: 'offline',
    connectionId,
    instanceId: device.instanceId,
    agentVersion: '1.0.0',
  };
  const client = mqtt.connect(`mqtts://127.0.0.1:${setup.broker.tlsPort}`, {
    protocolVersion: 4,
    clientId: options.clientId ?? device.deviceId,
    reconnectPeriod: options.reconnectPeriod ?? 0,
    ca: setup.authority.authorities,
    cert: device.certificate,
    key: device.key,
    will: {
      topic: upTopic(device.deviceId, 'status'),
      payload: Buffer.from(JSON.stringify({ ...offline, reason: 'connection-lost' })),
      qos: 1,
      retain: false,
    },
  });
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve());
    client.once('error', reject);
    client.once('close', () => reject(new Error('closed')));
  }).catch(async (error: unknown) => {
    await client.endAsync(true);
    throw error;
  });
  client.on('error', () => {});
  const test = new TestDevice(device, client, options.journal);
  Object.assign(test, { connectionId });
  await client.subscribeAsync(downFilter(device.deviceId), { qos: 1 });
  if (options.birth !== false) await test.say('status', test.status('online'));
  return test;
}

export async function rowsOf<Row>(
  { pool }: Pick<Database, 'pool'>,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await pool.query(statement, values)).rows as Row[];
}
