import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LiveChange, LiveMessage, Watch } from '@deviceportal/contract/live-channel';
import { everywhere, type Grant } from '@deviceportal/contract/permissions';
import { newId, newInstanceId } from '@deviceportal/contract/ids';
import { liveTopic, watchTopic } from '@deviceportal/contract/live-topics';
import { createLiveChannel } from '../../src/live-channel/live-channel.ts';
import {
  openGatewayFixture,
  quietLogger,
  seedDevices,
  seedRun,
  until,
  type GatewayFixture,
} from '../support/gateway-fixture.ts';

/** A closed connection, a rejection by MQTT or HTTP, or a TLS alert, depending on which reaches the client first. */
const REFUSED = /closed|not authorized|alert|certificate|403|hang up|ECONNRESET|EPIPE/i;

let setup: GatewayFixture;
let server: Server;
let live: AsyncDisposable;
const secrets: string[] = [];
const grants = new Map<string, Grant[]>();
const credentialsMs = new Map<string, number>();
const DE = {
  deviceId: newId(),
  instanceId: newInstanceId(),
  name: 'in germany',
  country: 'DE',
  connectivity: 'offline',
};
const FR = {
  deviceId: newId(),
  instanceId: newInstanceId(),
  name: 'in france',
  country: 'FR',
  connectivity: 'offline',
};
const all: Grant = {
  permissions: ['devices:read', 'commands:read', 'audit-trail:read'],
  scope: everywhere,
};
const onlyGermany: Grant = { ...all, scope: { ...everywhere, countries: ['DE'] } };

beforeAll(async () => {
  setup = await openGatewayFixture();
  await seedDevices(setup.database, [DE, FR]);
  server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  live = createLiveChannel({
    database: setup.database,
    changes: setup.changes,
    viewers: setup.broker.viewers,
    vault: { secretTexts: () => secrets },
    logger: quietLogger,
    server,
    // The signature is tested in the identity package; here the query names the user.
    async verify({ url }) {
      const person = new URL(url, 'http://x').searchParams.get('person');
      if (!person) throw new Error('not signed');
      const expiresAt = new Date(Date.now() + (credentialsMs.get(person) ?? 60_000));
      return {
        identityId: `region:${person}`,
        sub: person,
        originJti: person,
        groups: [],
        expiresAt,
      };
    },
    async findGrants(identities) {
      return new Map(
        identities.flatMap((identity) => {
          const found = grants.get(identity.sub);
          return found ? [[identity, found]] : [];
        }),
      );
    },
    addressOf: () => '127.0.0.1',
    identityPoolId: 'region:pool',
    recheckMs: 200,
  });
});
afterAll(async () => {
  await live[Symbol.asyncDispose]();
  server.close();
  await setup[Symbol.asyncDispose]();
});

class Browser implements AsyncDisposable {
  readonly client: MqttClient;
  readonly viewerId: string;
  readonly changes: LiveChange[] = [];
  readonly receivedMs: number[] = [];

  constructor(client: MqttClient, viewerId: string) {
    this.client = client;
    this.viewerId = viewerId;
    client.on('message', (_topic, payload) => {
      this.receivedMs.push(performance.now());
      this.changes.push(...(JSON.parse(payload.toString()) as LiveMessage).changes);
    });
  }

  async watch(...watches: Watch[]): Promise<void> {
    await this.client.publishAsync(watchTopic(this.viewerId), JSON.stringify({ watches }), {
      qos: 1,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.endAsync(true);
  }
}

async function open(
  person: string,
  options: { clientId?: string; given?: Grant[] } = {},
): Promise<Browser> {
  if (options.given) grants.set(person, options.given);
  const viewerId = `region:${person}`;
  const { port } = server.address() as AddressInfo;
  const client = mqtt.connect(`ws://127.0.0.1:${port}/mqtt?person=${person}`, {
    clientId: options.clientId ?? `${viewerId}.${crypto.randomUUID()}`,
    reconnectPeriod: 0,
    protocolVersion: 4,
  });
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve());
    client.once('error', reject);
    client.once('close', () => reject(new Error('closed')));
  });
  client.on('error', () => {});
  const browser = new Browser(client, viewerId);
  await client.subscribeAsync(liveTopic(viewerId));
  return browser;
}

const output = (invocationId: string, offset: number, text: string) =>
  ({
    kind: 'output',
    invocationId,
    deviceId: DE.deviceId,
    stream: 'stdout',
    offset,
    text,
  }) as const;

const textOf = ({ changes }: Browser): string =>
  changes.flatMap((change) => (change.kind === 'output' ? [change.text] : [])).join('');

const pause = (ms: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

describe('live channel', () => {
  test('rejects a connection without a valid signature', async () => {
    await expect(open('')).rejects.toThrow(REFUSED);
  });

  test('lets a viewer read only its own topic and rejects the client id of another', async () => {
    await using victim = await open('victim', { given: [all] });
    await using browser = await open('curious', { given: [all] });
    const answer = await browser.client
      .subscribeAsync(liveTopic(victim.viewerId))
      .catch((error: unknown) => error);
    expect(answer instanceof Error || (answer as { qos: number }[])[0]?.qos === 128).toBe(true);
    await expect(open('curious', { clientId: victim.viewerId })).rejects.toThrow(REFUSED);
    browser.client.publish(watchTopic(victim.viewerId), '{"watches":[]}', { qos: 1 }, () => {});
    await until(() => !browser.client.connected);
  });

  test('sends the status of a watched device, and none of a device outside the scope', async () => {
    await using browser = await open('german', { given: [onlyGermany] });
    await browser.watch({ kind: 'devices', ids: [DE.deviceId, FR.deviceId] });
    await until(() => browser.changes.some((change) => change.kind === 'device-status'));
    browser.changes.length = 0;
    await setup.database.pool.query(
      `update device_status set connectivity = 'online' where device_id = any($1)`,
      [[DE.deviceId]],
    );
    setup.changes.publish([{ kind: 'device-status', deviceIds: [DE.deviceId, FR.deviceId] }]);
    await until(() => browser.changes.length > 0);
    await pause(300);
    expect(browser.changes).toMatchObject([
      { kind: 'device-status', id: DE.deviceId, connectivity: 'online' },
    ]);
  });

  test("sends news only to their recipient, on the recipient's topic", async () => {
    await using reader = await open('reader', { given: [onlyGermany] });
    await using other = await open('other', { given: [all] });
    for (const browser of [reader, other]) await browser.watch({ kind: 'notifications' });
    // A further watch is answered immediately, which shows that the first one is in force, too.
    for (const browser of [reader, other]) {
      await browser.watch({ kind: 'notifications' }, { kind: 'devices', ids: [DE.deviceId] });
      await until(() => browser.changes.some((change) => change.kind === 'device-status'));
      browser.changes.length = 0;
    }
    setup.changes.publish([{ kind: 'notifications', subjects: ['reader'] }]);
    await until(() => reader.changes.length > 0);
    setup.changes.publish([{ kind: 'notifications', subjects: ['other'] }]);
    await until(() => other.changes.length > 0);
    expect(reader.changes).toEqual([{ kind: 'notifications' }]);
    expect(other.changes).toEqual([{ kind: 'notifications' }]);
  });

  test('sends a hundred consecutive changes as at most four messages a second, including the last one', async () => {
    await using browser = await open('busy', { given: [all] });
    await browser.watch({ kind: 'devices', ids: [DE.deviceId] });
    await until(() => browser.changes.length > 0);
    await pause(260);
    browser.receivedMs.length = 0;
    const startedMs = performance.now();
    for (let step = 0; step < 100; step += 1) {
      await setup.database.pool.query(
        `update device_status set disconnect_reason = $2 where device_id = $1`,
        [DE.deviceId, `step ${step}`],
      );
      setup.changes.publish([{ kind: 'device-status', deviceIds: [DE.deviceId] }]);
      await pause(8);
    }
    await until(() => {
      const last = browser.changes.at(-1);
      return last?.kind === 'device-status' && last.disconnectReason === 'step 99';
    });
    const seconds = (performance.now() - startedMs) / 1_000;
    expect(browser.receivedMs.length).toBeLessThanOrEqual(Math.ceil(seconds * 4) + 1);
  });

  test('sends the first output of a watched invocation immediately and masks secrets, also across two pieces', async () => {
    secrets.splice(0, secrets.length, 'hunter2secret');
    const { runId, invocationIds } = await seedRun(setup.database, {
      deviceIds: [FR.deviceId],
      deliverySeconds: 60,
    });
    const [invocationId = ''] = invocationIds;
    await using browser = await open('watcher', { given: [all] });
    await browser.watch({ kind: 'invocation', id: invocationId }, { kind: 'run', id: runId });
    await until(() => browser.changes.some((change) => change.kind === 'run'));
    await pause(1_100);
    // Another update was sent just before; the first line is not delayed by it.
    setup.changes.publish([{ kind: 'run', runIds: [runId] }]);
    await pause(40);
    const startedMs = performance.now();
    setup.changes.publish([output(invocationId, 0, 'first line hunter2')]);
    await until(() => browser.changes.some((change) => change.kind === 'output'));
    expect(performance.now() - startedMs).toBeLessThan(150);
    setup.changes.publish([output(invocationId, 18, 'secret done')]);
    await until(() => browser.changes.filter((change) => change.kind === 'output').length === 2);
    const text = textOf(browser);
    expect(text).toMatch(/^first line •+ done$/);
    expect(text).toHaveLength(29);
    secrets.length = 0;
  });

  test('ends the connection when its credentials expire', async () => {
    credentialsMs.set('brief', 400);
    await using browser = await open('brief', { given: [all] });
    expect(browser.client.connected).toBe(true);
    await until(() => !browser.client.connected, 3_000);
  });

  test('disconnects a viewer who loses the permission to read', async () => {
    await using browser = await open('leaver', { given: [all] });
    grants.delete('leaver');
    await browser.watch({ kind: 'fleet' });
    await until(() => !browser.client.connected, 3_000);
    expect(browser.changes).toEqual([]);
  });

  test('changes the fleet counts for a device inside the scope only', async () => {
    await using browser = await open('narrow', { given: [onlyGermany] });
    await using wide = await open('wide', { given: [all] });
    for (const each of [browser, wide]) await each.watch({ kind: 'fleet' });
    const heard = (by: Browser, deviceIds: string[]) =>
      until(() => {
        setup.changes.publish([{ kind: 'device-status', deviceIds }]);
        return by.changes.length > 1;
      });
    await heard(wide, [FR.deviceId]).then(() => expect(browser.changes).toEqual([]));
    await heard(browser, [DE.deviceId]);
  });

  test('masks the rest of a secret for a viewer who joins in the middle of it', async () => {
    secrets.splice(0, secrets.length, 'hunter2secret');
    const { invocationIds } = await seedRun(setup.database, {
      deviceIds: [FR.deviceId],
      deliverySeconds: 60,
    });
    const [invocationId = ''] = invocationIds;
    await using browser = await open('late', { given: [all] });
    await browser.watch({ kind: 'invocation', id: invocationId });
    await until(() => browser.changes.length > 0);
    setup.changes.publish([
      output(invocationId, 40, 'nter2\u001B[1msec'),
      output(invocationId, 52, 'ret done'),
    ]);
    await until(() => textOf(browser).endsWith('done'));
    expect(textOf(browser)).toBe('•••••\u001B[1m•••••• done');
    secrets.length = 0;
  });

  test('sends nothing more of a device that leaves the scope, including its output', async () => {
    const deviceId = newId();
    await seedDevices(setup.database, [
      { ...DE, deviceId, instanceId: newInstanceId(), name: 'moving' },
    ]);
    const { runId, invocationIds } = await seedRun(setup.database, {
      deviceIds: [deviceId],
      deliverySeconds: 60,
    });
    const [invocationId = ''] = invocationIds;
    await using browser = await open('stays', { given: [onlyGermany] });
    await using other = await open('sees all', { given: [all] });
    const watches: Watch[] = [
      { kind: 'devices', ids: [deviceId] },
      { kind: 'invocation', id: invocationId },
      { kind: 'run', id: runId },
    ];
    for (const one of [browser, other]) {
      await one.watch(...watches);
      await until(() => one.changes.length >= 3);
      one.changes.length = 0;
    }
    await setup.database.pool.query(`update device set country = 'FR' where id = $1`, [deviceId]);
    setup.changes.publish([
      { kind: 'device-changed', deviceIds: [deviceId] },
      { kind: 'device-status', deviceIds: [deviceId] },
      { kind: 'run', runIds: [runId] },
      output(invocationId, 0, 'no longer yours'),
    ]);
    await until(() => textOf(other) !== '' && other.changes.length >= 4);
    await pause(400);
    expect(browser.changes).toEqual([]);
  });

  test('applies a change of role to open connections within seconds, in both directions', async () => {
    await using browser = await open('promoted', { given: [onlyGermany] });
    await browser.watch({ kind: 'devices', ids: [DE.deviceId, FR.deviceId] });
    await until(() => browser.changes.length > 0);
    const told = async () => {
      browser.changes.length = 0;
      setup.changes.publish([{ kind: 'device-status', deviceIds: [DE.deviceId, FR.deviceId] }]);
      await pause(400);
      return browser.changes.flatMap((change) => ('id' in change ? [change.id] : []));
    };
    expect(await told()).toEqual([DE.deviceId]);
    grants.set('promoted', [all]);
    await pause(500);
    expect((await told()).toSorted()).toEqual([DE.deviceId, FR.deviceId].toSorted());
    grants.set('promoted', [{ ...all, scope: { ...everywhere, countries: ['FR'] } }]);
    await pause(500);
    expect(await told()).toEqual([FR.deviceId]);
    expect(browser.client.connected).toBe(true);
  });

  test('disconnects a user who signs out or is suspended, without any action on the connection', async () => {
    await using browser = await open('suspended', { given: [all] });
    await browser.watch({ kind: 'devices', ids: [DE.deviceId] });
    await until(() => browser.changes.length > 0);
    grants.delete('suspended');
    await until(() => !browser.client.connected, 3_000);
  });

  test('sends two viewers of the same run only the counts of their own devices', async () => {
    const { runId } = await seedRun(setup.database, {
      deviceIds: [DE.deviceId, FR.deviceId],
      deliverySeconds: 60,
    });
    await using german = await open('one of two', { given: [onlyGermany] });
    await using everyone = await open('both', { given: [all] });
    for (const one of [german, everyone]) {
      await one.watch({ kind: 'run', id: runId }, { kind: 'devices', ids: [FR.deviceId] });
      await until(() => one.changes.some((change) => change.kind === 'run'));
    }
    // The run may continue in the meantime and be sent more than once.
    for (const change of german.changes)
      expect(change).toMatchObject({ kind: 'run', counters: { target: 1 } });
    expect(everyone.changes.find((change) => change.kind === 'run')).toMatchObject({
      counters: { target: 2 },
    });
  });

  test('does not delay the first lines of consecutive runs', async () => {
    const { invocationIds } = await seedRun(setup.database, {
      deviceIds: [DE.deviceId, FR.deviceId],
      deliverySeconds: 60,
    });
    await using browser = await open('impatient', { given: [all] });
    await browser.watch(...invocationIds.map((id) => ({ kind: 'invocation', id }) as const));
    await until(() => browser.changes.length >= 2);
    for (const [index, id] of invocationIds.entries()) {
      const startedMs = performance.now();
      setup.changes.publish([output(id, 0, `line of ${index}`)]);
      await until(() => textOf(browser).includes(`line of ${index}`));
      expect(performance.now() - startedMs).toBeLessThan(100);
    }
  });

  test('sends changes from just before a watch with it, within its scope', async () => {
    setup.changes.publish([
      { kind: 'audit-trail', deviceIds: [DE.deviceId, FR.deviceId] },
      { kind: 'device-changed', deviceIds: [DE.deviceId] },
    ]);
    await using german = await open('a moment late', { given: [onlyGermany] });
    const watches = [FR, DE].map(({ deviceId }) => ({ kind: 'audit-trail', deviceId }) as const);
    await german.watch(...watches, { kind: 'devices', ids: [DE.deviceId] });
    await until(() => german.changes.some(({ kind }) => kind === 'audit-trail'));
    const told = german.changes.filter(({ kind }) => kind !== 'device-status');
    expect(told).toEqual([
      { kind: 'device-changed', id: DE.deviceId },
      { kind: 'audit-trail', deviceId: DE.deviceId, count: 1 },
    ]);
  });

  test('counts in the audit trail of a scope only events of its devices', async () => {
    await using browser = await open('auditor', { given: [onlyGermany] });
    await browser.watch({ kind: 'audit-trail', deviceId: null });
    await pause(100);
    setup.changes.publish([{ kind: 'audit-trail', deviceIds: [FR.deviceId] }]);
    await pause(300);
    expect(browser.changes).toEqual([]);
    setup.changes.publish([{ kind: 'audit-trail', deviceIds: [FR.deviceId, DE.deviceId] }]);
    await until(() => browser.changes.length > 0);
    expect(browser.changes).toEqual([{ kind: 'audit-trail', deviceId: null, count: 1 }]);
  });
});
