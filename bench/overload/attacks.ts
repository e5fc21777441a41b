import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, Agent } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import mqtt, { type MqttClient } from 'mqtt';
import { upTopic } from '@deviceportal/device-protocol/topics';
import { enrollMachineAt } from '../../apps/server/tests/support/enrolling-machine.ts';
import { openPortal, type PortalClient } from '../support/portal-client.ts';

export interface Target {
  readonly url: string;
  readonly mqttPort: number;
  /** ID tokens by account. */
  readonly tokens: Readonly<Record<string, string>>;
}

/** One attempt; it ends when the server has responded, rejected, or disconnected. */
export type Try = () => Promise<unknown>;

export interface Attack {
  readonly by: 'outsider' | 'device' | 'insider';
  /** Number of concurrent attempts. */
  readonly atOnce: number;
  /** Creates what the attacker has at the start: an account, a certificate. */
  readonly prepare: (target: Target) => Promise<Try> | Try;
}

const ANSWER_LIMIT_MS = 30_000;
/** The attacker's address, as reported by a proxy, so that its limits do not affect the users. */
const ELSEWHERE = '203.0.113.7';
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Reads the response completely and discards it. */
function ask(url: string, { method = 'GET', headers, body }: Call = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const named = { 'x-forwarded-for': ELSEWHERE, ...headers };
    const call = request(url, { agent, method, headers: named }, (reply) => {
      reply.on('error', reject).on('end', () => resolve(reply.statusCode ?? 0));
      reply.resume();
    });
    call.setTimeout(ANSWER_LIMIT_MS, () => call.destroy(new Error('no answer in time')));
    call.on('error', reject).end(body);
  });
}

const batchOf = (name: string, count: number): string => Array(count).fill(name).join(',');
const json = { 'content-type': 'application/json' };

const signedIn = ({ url, tokens }: Target, account: string): PortalClient =>
  openPortal(url, tokens[account] ?? '');

/** Repeats a call of a signed-in user. */
const asInsider =
  (account: string, path: string, input: () => unknown, kind: 'query' | 'mutate' = 'query') =>
  (target: Target): Try => {
    const client = signedIn(target, account);
    return () => client[kind](path, input());
  };

/** Users whose own response times may suffer, because they are attackers. */
export const INSIDERS = ['viewer', 'auditor'];

const manyLists = 3_000;
const nested = `{"json":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;

/** The attacks that `docs/security.md` promises to withstand. */
export const attacks: Readonly<Record<string, Attack>> = {
  'batches without a session': {
    by: 'outsider',
    atOnce: 8,
    prepare: ({ url }) => {
      const address = `${url}/api/trpc/${batchOf('devices.list', 60_000)}?batch=1&input=%7B%7D`;
      return () => ask(address);
    },
  },
  'JSON nested 50,000 deep': {
    by: 'outsider',
    atOnce: 8,
    prepare:
      ({ url }) =>
      () =>
        ask(`${url}/api/trpc/session.get`, { method: 'POST', headers: json, body: nested }),
  },
  'sign-ins that nobody finishes': {
    by: 'outsider',
    atOnce: 16,
    prepare: ({ url }) => {
      const headers = {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth',
      };
      return () =>
        ask(`${url}/identity`, {
          ...{ method: 'POST', headers },
          body: JSON.stringify({
            AuthFlow: 'CUSTOM_AUTH',
            ClientId: 'deviceportalweb',
            AuthParameters: { USERNAME: `${randomUUID()}@corp.example` },
          }),
        });
    },
  },
  'claims that were never made': {
    by: 'outsider',
    atOnce: 16,
    prepare: ({ url }) => {
      const body = JSON.stringify({ claimToken: randomUUID(), serialNumber: 'X'.repeat(40) });
      return () => ask(`${url}/enrol`, { method: 'POST', headers: json, body });
    },
  },
  'requests that never end': {
    by: 'outsider',
    atOnce: 2_000,
    prepare: ({ url }) => {
      const { hostname, port } = new URL(url);
      return async () => {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => {}).resume();
        await once(socket, 'connect');
        socket.write(
          `GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${ELSEWHERE}\r\n`,
        );
        const drip = setInterval(() => socket.write('x: y\r\n'), 1_000);
        await Promise.race([once(socket, 'close'), sleep(ANSWER_LIMIT_MS)]);
        clearInterval(drip);
        socket.destroy();
      };
    },
  },
  'TLS connections without a certificate': {
    by: 'outsider',
    atOnce: 16,
    prepare:
      ({ mqttPort }) =>
      async () => {
        const socket = connectTls({ port: mqttPort, rejectUnauthorized: false });
        socket.on('error', () => {}).resume();
        await Promise.race([once(socket, 'close'), sleep(2_000)]);
        socket.destroy();
      },
  },
  'events of one device': {
    by: 'device',
    atOnce: 20,
    prepare: async (target) => {
      const device = await enrollDevice(target);
      let seq = 0;
      const epoch = randomUUID();
      return () => {
        const at = new Date().toISOString();
        const entries = Array.from({ length: 100 }, () => ({
          ...{ seq: (seq += 1), at, kind: 'event', type: 'service-crashed' },
          data: { service: 'x'.repeat(200), exitCode: 137, restarts: 3 },
        }));
        return device.publish('journal', { instanceId: device.instanceId, epoch, entries });
      };
    },
  },
  'statuses of one device': {
    by: 'device',
    atOnce: 50,
    prepare: async (target) => {
      const device = await enrollDevice(target);
      return () =>
        device.publish('status', {
          ...{ state: 'online', connectionId: randomUUID(), instanceId: device.instanceId },
          ...{ agentVersion: '1.0.0', reason: null },
        });
    },
  },
  'packets that are no messages': {
    by: 'device',
    atOnce: 20,
    prepare: async (target) => {
      const device = await enrollDevice(target);
      const payload = { entries: 'x'.repeat(60_000) };
      return () => device.publish('journal', payload);
    },
  },
  'batches of a viewer': {
    by: 'insider',
    atOnce: 4,
    prepare: (target) => {
      const client = signedIn(target, 'viewer');
      const names = batchOf('devices.list', manyLists);
      const input = Object.fromEntries(
        Array.from({ length: manyLists }, (_, index) => [index, { json: {} }]),
      );
      const address = `${target.url}/api/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(input))}`;
      return () => ask(address, { headers: client.headers });
    },
  },
  'searches of a viewer': {
    by: 'insider',
    atOnce: 32,
    prepare: asInsider('viewer', 'search.find', () => ({ text: `e ${randomUUID().slice(0, 3)}` })),
  },
  'searches of the audit trail': {
    by: 'insider',
    atOnce: 32,
    prepare: asInsider('auditor', 'auditTrail.list', () => ({
      filter: { text: randomUUID().slice(0, 4) },
      pageSize: 100,
    })),
  },
  'exports of a viewer': {
    by: 'insider',
    atOnce: 16,
    prepare: asInsider('viewer', 'devices.export', () => ({}), 'mutate'),
  },
  'connections to the live channel': {
    by: 'insider',
    atOnce: 50,
    prepare: (target) => {
      const client = signedIn(target, 'viewer');
      return async () => {
        const { client: live } = await client.openLive(randomUUID());
        live.on('error', () => {});
        await sleep(500);
        await live.endAsync(true);
      };
    },
  },
};

interface EnrolledDevice {
  readonly instanceId: string;
  publish(channel: 'journal' | 'status', message: object): Promise<unknown>;
}

/** An enrolled device with a certificate. */
async function enrollDevice(target: Target): Promise<EnrolledDevice> {
  const { url, mqttPort } = target;
  const admin = signedIn(target, 'admin');
  const claim = (await admin.mutate('devices.createClaim', {})) as { token: string };
  const { body, holds } = await enrollMachineAt({
    ...{ url, claimToken: claim.token, serialNumber: `OVERLOAD${Date.now()}` },
  });
  const { deviceId, instanceId } = body;
  let client: MqttClient | undefined;
  const connected = async (): Promise<MqttClient> => {
    if (client?.connected) return client;
    client?.end(true);
    client = await mqtt.connectAsync(`mqtts://127.0.0.1:${mqttPort}`, {
      ...{ clientId: deviceId, protocolVersion: 4, reconnectPeriod: 0, keepalive: 300 },
      ...{ ca: body.authorities, cert: holds.certificate, key: holds.privateKey },
      rejectUnauthorized: false,
    });
    client.on('error', () => {}).setMaxListeners(0);
    return client;
  };
  await connected();
  return {
    instanceId,
    publish: async (channel, message) => {
      const open = await connected();
      const publishing = open.publishAsync(upTopic(deviceId, channel), JSON.stringify(message), {
        qos: 1,
      });
      const closed = new Promise((resolve) => {
        open.once('close', () => resolve(undefined));
      });
      return Promise.race([publishing, closed]);
    },
  };
}
