/**
 * The server's side of the protocol for tests: a real MQTT broker with TLS and client certificates,
 * a store that accepts each journal entry once, and acknowledgments that can be delayed.
 */

import { randomUUID } from 'node:crypto';
import { createServer, type TLSSocket } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { Aedes } from 'aedes';
import { journalMessageSchema, type JournalEntry } from '@deviceportal/device-protocol/journal';
import {
  heartbeatMessageSchema,
  renewMessageSchema,
  statusMessageSchema,
  type CommandMessage,
  type HeartbeatMessage,
  type StatusMessage,
} from '@deviceportal/device-protocol/messages';
import { noTrust } from '@deviceportal/command-signing/key-trust';
import {
  downTopic,
  parseUpTopic,
  type DownChannel,
  type UpChannel,
} from '@deviceportal/device-protocol/topics';
import { createCertificateRequest } from '../../src/certificate-request.ts';
import type { Identity } from '../../src/store/identity-file.ts';
import { createTestAuthority, type TestAuthority } from './test-authority.ts';

export interface TestGateway extends AsyncDisposable {
  readonly authority: TestAuthority;
  readonly brokerUrl: string;
  readonly received: { deviceId: string; entries: JournalEntry[]; epoch: string }[];
  readonly statuses: { deviceId: string; status: StatusMessage }[];
  readonly heartbeats: { deviceId: string; heartbeat: HeartbeatMessage }[];
  /** All messages of devices, unchanged. */
  readonly messages: { deviceId: string; channel: UpChannel; message: unknown }[];
  acknowledging: boolean;
  entries(deviceId: string): JournalEntry[];
  send(deviceId: string, channel: DownChannel, payload: unknown): void;
  createIdentity(serverUrl?: string, life?: { fromMs: number; toMs: number }): Promise<Identity>;
  until<Found>(look: () => Found | undefined | false, timeoutMs?: number): Promise<Found>;
  dropConnections(): void;
}

/** @param shared of another gateway, whose devices this one accepts, too */
export async function startTestGateway(shared?: TestAuthority): Promise<TestGateway> {
  const authority = shared ?? (await createTestAuthority());
  const broker = await Aedes.createBroker({
    concurrency: 5_000,
    queueLimit: 200,
    drainTimeout: 20_000,
  });
  const sockets = new Set<TLSSocket>();
  const tls = createServer(
    {
      ca: authority.certificate,
      cert: authority.server.certificate,
      key: authority.server.key,
      requestCert: true,
      rejectUnauthorized: true,
      noDelay: true,
    },
    (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      broker.handle(socket);
    },
  );
  await new Promise<void>((resolve) => {
    tls.listen(0, '127.0.0.1', resolve);
  });
  const { port } = tls.address() as AddressInfo;
  const committed = new Map<string, Map<number, JournalEntry>>();

  const gateway: TestGateway = {
    authority,
    brokerUrl: `mqtts://127.0.0.1:${port}`,
    received: [],
    statuses: [],
    heartbeats: [],
    messages: [],
    acknowledging: true,
    entries: (deviceId) =>
      [...(committed.get(deviceId) ?? new Map<number, JournalEntry>()).entries()]
        .toSorted(([a], [b]) => a - b)
        .map(([, entry]) => entry),
    send: (deviceId, channel, payload) => {
      broker.publish(
        {
          cmd: 'publish',
          topic: downTopic(deviceId, channel),
          payload: Buffer.from(JSON.stringify(payload)),
          qos: 1,
          retain: false,
          dup: false,
        },
        () => {},
      );
    },
    createIdentity: async (serverUrl = 'http://127.0.0.1:9', life) => {
      const deviceId = randomUUID();
      const request = await createCertificateRequest({ commonName: deviceId, privateKeyPem: null });
      return {
        deviceId,
        instanceId: `mi-${randomUUID().replaceAll('-', '').slice(0, 17)}`,
        brokerUrl: `mqtts://127.0.0.1:${port}`,
        serverUrl,
        certificate: await authority.sign(request.certificateRequestPem, deviceId, life),
        authorities: authority.certificate,
        privateKey: request.privateKeyPem,
        pendingPrivateKey: null,
        trust: { runs: noTrust, releases: noTrust },
      };
    },
    until: async (look, timeoutMs = 10_000) => {
      const endMs = Date.now() + timeoutMs;
      for (;;) {
        const found = look();
        if (found !== undefined && found !== false) return found;
        if (Date.now() > endMs) throw new Error('waited in vain');
        await new Promise((resolve) => {
          setTimeout(resolve, 10);
        });
      }
    },
    dropConnections: () => {
      for (const socket of sockets) socket.destroy();
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => {
        broker.close(() => tls.close(() => resolve()));
      });
    },
  };

  broker.on('publish', (packet) => {
    const address = parseUpTopic(packet.topic);
    if (!address) return;
    const { deviceId, channel } = address;
    const message: unknown = JSON.parse(packet.payload.toString());
    gateway.messages.push({ deviceId, channel, message });
    if (channel === 'status') {
      gateway.statuses.push({ deviceId, status: statusMessageSchema.parse(message) });
    } else if (channel === 'heartbeat') {
      gateway.heartbeats.push({ deviceId, heartbeat: heartbeatMessageSchema.parse(message) });
    } else if (channel === 'journal') takeJournal(deviceId, message);
    else void renew(deviceId, message);
  });

  function takeJournal(deviceId: string, message: unknown): void {
    const { instanceId, epoch, entries } = journalMessageSchema.parse(message);
    gateway.received.push({ deviceId, entries, epoch });
    if (!gateway.acknowledging) return;
    const known = committed.get(deviceId) ?? new Map<number, JournalEntry>();
    committed.set(deviceId, known);
    for (const entry of entries) if (!known.has(entry.seq)) known.set(entry.seq, entry);
    gateway.send(deviceId, 'ack', { instanceId, epoch, upTo: Math.max(...known.keys()) });
  }

  async function renew(deviceId: string, message: unknown): Promise<void> {
    const { certificateRequest } = renewMessageSchema.parse(message);
    const certificate = await authority.sign(certificateRequest, deviceId);
    gateway.send(deviceId, 'certificate', { certificate, authorities: authority.certificate });
  }
  return gateway;
}

/** A command with one shell step, or with the given steps. */
export function shellCommand(
  script: string | Record<string, unknown>[],
  overrides: Partial<CommandMessage> = {},
): CommandMessage {
  const steps =
    typeof script === 'string'
      ? [{ action: 'aws:runShellScript', name: 'run', inputs: { runCommand: [script] } }]
      : script;
  return {
    invocationId: randomUUID(),
    runId: randomUUID(),
    attempt: 1,
    documentName: 'DevicePortal-shell',
    documentVersion: 1,
    content: { schemaVersion: '2.2', mainSteps: steps },
    parameters: {},
    storeValues: {},
    documents: {},
    phases: { preCheck: 0, verify: 0 },
    isUndo: false,
    undoNotesOf: null,
    holder: null,
    executionTimeoutSeconds: 60,
    deliverBefore: new Date(Date.now() + 60_000).toISOString(),
    artefactUploadUrl: null,
    ...overrides,
  };
}

/** The whole output of one stream, verified to have no gaps or duplicates. */
export function outputOf(
  entries: readonly JournalEntry[],
  invocationId: string,
  stream: 'stdout' | 'stderr' = 'stdout',
): string {
  let text = '';
  for (const entry of entries) {
    if (entry.kind !== 'invocation-output') continue;
    if (entry.invocationId !== invocationId || entry.stream !== stream) continue;
    if (entry.offset !== text.length)
      throw new Error(`offset ${entry.offset}, have ${text.length}`);
    text += entry.text;
  }
  return text;
}

export function resultOf(entries: readonly JournalEntry[], invocationId: string) {
  const results = entries.filter(
    (entry) => entry.kind === 'invocation-result' && entry.invocationId === invocationId,
  );
  if (results.length > 1) throw new Error('more than one result');
  const [result] = results;
  return result?.kind === 'invocation-result' ? result : undefined;
}
