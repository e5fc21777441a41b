import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { upTopic } from '@deviceportal/device-protocol/topics';
import { openCertificateAuthority } from '../../src/gateway/certificates/certificate-authority.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';
import {
  connectDevice,
  createRequest,
  enrollTestDevice,
  openGatewayFixture,
  rowsOf,
  until,
  type EnrolledDevice,
  type GatewayFixture,
} from '../support/gateway-fixture.ts';

/** A closed connection, a rejection by MQTT or HTTP, or a TLS alert, depending on which reaches the client first. */
const REFUSED = /closed|not authorized|alert|certificate|403|hang up|ECONNRESET|EPIPE/i;

let setup: GatewayFixture;
beforeAll(async () => {
  setup = await openGatewayFixture();
});
afterAll(async () => {
  await setup[Symbol.asyncDispose]();
});

const auditOf = (deviceId: string, type: string) =>
  rowsOf<{ data: Record<string, unknown> }>(
    setup.database,
    'select data from audit_event where device_id = $1 and type = $2 order by at, id',
    [deviceId, type],
  );

const statusOf = async ({ deviceId }: EnrolledDevice) =>
  (
    await rowsOf<{ connectivity: string; disconnect_reason: string | null; failing: unknown[] }>(
      setup.database,
      'select connectivity, disconnect_reason, failing from device_status where device_id = $1',
      [deviceId],
    )
  )[0];

const event = (number: number) =>
  ({ kind: 'event', type: 'service-crashed', data: { number } }) as const;

describe('admission', () => {
  test('[gateway-1] rejects a certificate of another authority in the TLS handshake', async () => {
    const device = await enrollTestDevice(setup);
    await using cleanup = new AsyncDisposableStack();
    const dataDir = await mkdtemp(join(tmpdir(), 'dp-foreign-'));
    cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
    const foreign = await openCertificateAuthority({
      store: createFileSecrets(dataDir),
      hosts: [],
    });
    const { key, request } = await createRequest();
    const { certificate } = await foreign.sign(request, {
      deviceId: device.deviceId,
      instanceId: null,
    });
    await expect(connectDevice(setup, { ...device, key, certificate })).rejects.toThrow(REFUSED);
  });

  test('[gateway-2] rejects and records a certificate that is not that of the current instance', async () => {
    const device = await enrollTestDevice(setup);
    const { key, request } = await createRequest();
    const { certificate } = await setup.authority.sign(request, {
      deviceId: device.deviceId,
      instanceId: 'mi-00000000000000000',
    });
    await expect(connectDevice(setup, { ...device, key, certificate })).rejects.toThrow(REFUSED);
    const [refused] = await until(async () => {
      const rows = await auditOf(device.deviceId, 'device.refused');
      return rows.length > 0 && rows;
    });
    expect(refused?.data).toMatchObject({ reason: 'not-admitted' });
  });

  test('disconnects a suspended device and does not admit it again', async () => {
    const device = await enrollTestDevice(setup);
    await using connected = await connectDevice(setup, device);
    await until(async () => (await statusOf(device))?.connectivity === 'online');
    await setup.database.pool.query(`update device set lifecycle = 'suspended' where id = $1`, [
      device.deviceId,
    ]);
    await setup.database.pool.query(
      `update device_status set lifecycle = 'suspended' where device_id = $1`,
      [device.deviceId],
    );
    setup.changes.publish([{ kind: 'devices-blocked', deviceIds: [device.deviceId] }]);
    await until(() => !connected.client.connected);
    await expect(connectDevice(setup, device)).rejects.toThrow(REFUSED);
    await until(async () => (await statusOf(device))?.connectivity === 'offline');
  });

  test('rejects a client id other than the device id, which could end another connection', async () => {
    const [one, other] = [await enrollTestDevice(setup), await enrollTestDevice(setup)];
    await using victim = await connectDevice(setup, other);
    await expect(connectDevice(setup, one, { clientId: other.deviceId })).rejects.toThrow(REFUSED);
    expect(victim.client.connected).toBe(true);
  });

  test('accepts a renewed certificate as that of the instance', async () => {
    const device = await enrollTestDevice(setup);
    await using connected = await connectDevice(setup, device);
    const { key, request } = await createRequest();
    await connected.say('renew', { instanceId: device.instanceId, certificateRequest: request });
    const answer = await until(() =>
      connected.messages.find(({ channel }) => channel === 'certificate'),
    );
    const certificate = answer.body['certificate'] as string;
    await using again = await connectDevice(setup, { ...device, key, certificate });
    expect(again.client.connected).toBe(true);
    const [row] = await rowsOf<{ certificate_fingerprint: string }>(
      setup.database,
      'select certificate_fingerprint from device_instance where id = $1',
      [device.instanceId],
    );
    const [renewed] = await auditOf(device.deviceId, 'device.certificate-renewed');
    expect(row?.certificate_fingerprint).toBe(renewed?.data['fingerprint']);
  });
});

describe('topic permissions', () => {
  test("[gateway-6] ends the connection and records a publish on another device's topic", async () => {
    const [one, other] = [await enrollTestDevice(setup), await enrollTestDevice(setup)];
    await using connected = await connectDevice(setup, one);
    connected.client.publish(upTopic(other.deviceId, 'journal'), '{}', { qos: 1 }, () => {});
    await until(() => !connected.client.connected);
    const [refused] = await until(async () => {
      const rows = await auditOf(one.deviceId, 'device.refused');
      return rows.length > 0 && rows;
    });
    expect(refused?.data).toMatchObject({ reason: 'foreign-topic' });
  });

  test("[gateway-7] rejects and records a subscription to another device's topics", async () => {
    const [one, other] = [await enrollTestDevice(setup), await enrollTestDevice(setup)];
    await using connected = await connectDevice(setup, one);
    const granted = await connected.client
      .subscribeAsync(`deviceportal/devices/${other.deviceId}/down/+`)
      .catch((error: unknown) => error);
    expect(granted instanceof Error || (granted as { qos: number }[])[0]?.qos === 128).toBe(true);
    await until(async () => (await auditOf(one.deviceId, 'device.refused')).length > 0);
  });

  test('ends the connection and records a message over 128 KiB', async () => {
    const device = await enrollTestDevice(setup);
    await using connected = await connectDevice(setup, device);
    connected.client.publish(
      upTopic(device.deviceId, 'journal'),
      'x'.repeat(200 * 1024),
      { qos: 1 },
      () => {},
    );
    await until(() => !connected.client.connected);
    const rows = await until(async () => {
      const found = await auditOf(device.deviceId, 'device.refused');
      return found.length > 0 && found;
    });
    expect(rows[0]?.data).toMatchObject({ reason: 'message-too-large' });
  });
});

describe('presence', () => {
  test('sets a device online at its birth, and offline with the reason when the connection is cut', async () => {
    const device = await enrollTestDevice(setup);
    await using connected = await connectDevice(setup, device);
    await until(async () => (await statusOf(device))?.connectivity === 'online');
    connected.client.stream.destroy();
    const status = await until(async () => {
      const row = await statusOf(device);
      return row?.connectivity === 'offline' && row;
    });
    expect(status.disconnect_reason).toBe('connection-lost');
    expect(await auditOf(device.deviceId, 'device.connected')).toHaveLength(1);
    expect(await auditOf(device.deviceId, 'device.disconnected')).toHaveLength(1);
  });

  test('ignores the late will of an earlier connection', async () => {
    const device = await enrollTestDevice(setup);
    await using connected = await connectDevice(setup, device);
    await until(async () => (await statusOf(device))?.connectivity === 'online');
    const late = {
      ...connected.status('offline', 'connection-lost'),
      connectionId: crypto.randomUUID(),
    };
    await connected.say('status', late);
    await connected.journal(event(1));
    await until(() => connected.ackedUpTo === 1);
    expect((await statusOf(device))?.connectivity).toBe('online');
  });

  test('sets devices to unknown when the server stops, and ignores their last messages', async () => {
    await using own = await openGatewayFixture();
    const device = await enrollTestDevice(own);
    await using connected = await connectDevice(own, device);
    const status = async () => {
      const { rows } = await own.database.pool.query<{ connectivity: string; reason: string }>(
        'select connectivity, disconnect_reason as reason from device_status where device_id = $1',
        [device.deviceId],
      );
      return rows[0];
    };
    await until(async () => (await status())?.connectivity === 'online');
    await own.gateway.leave();
    await connected.say('status', connected.status('offline', 'shutdown'));
    await connected.journal(event(1));
    await until(() => connected.ackedUpTo === 1);
    expect(await status()).toEqual({ connectivity: 'unknown', reason: null });
  });

  test('degrades a device with failing checks until it reports none', async () => {
    const device = await enrollTestDevice(setup);
    await using connected = await connectDevice(setup, device);
    const heartbeat = (failing: object[]) =>
      connected.say('heartbeat', {
        instanceId: device.instanceId,
        at: new Date().toISOString(),
        failing,
        diskUsedPercent: 97,
        memoryUsedPercent: 20,
        uptimeSeconds: 60,
      });
    await heartbeat([{ part: 'disk', fact: '97 % used' }]);
    await until(async () => (await statusOf(device))?.connectivity === 'degraded');
    await heartbeat([]);
    await until(async () => (await statusOf(device))?.connectivity === 'online');
    expect((await auditOf(device.deviceId, 'device.degraded'))[0]?.data).toMatchObject({
      failing: [{ part: 'disk', fact: '97 % used' }],
    });
    expect(await auditOf(device.deviceId, 'device.recovered')).toHaveLength(1);
  });
});

describe('journal', () => {
  test('acknowledges entries after they are committed', async () => {
    const device = await enrollTestDevice(setup);
    await using connected = await connectDevice(setup, device);
    await connected.journal(event(1), event(2), event(3));
    await until(() => connected.ackedUpTo === 3);
    expect(await auditOf(device.deviceId, 'device-event.service-crashed')).toHaveLength(3);
  });

  test('ignores an entry that is received twice', async () => {
    const device = await enrollTestDevice(setup);
    await using connected = await connectDevice(setup, device);
    const entries = connected.number([event(1), event(2)]);
    await connected.entries(entries);
    await connected.entries(entries);
    await connected.entries([...entries, ...connected.number([event(3)])]);
    await until(() => connected.ackedUpTo === 3);
    const rows = await auditOf(device.deviceId, 'device-event.service-crashed');
    expect(rows.map(({ data }) => data['number'])).toEqual([1, 2, 3]);
  });

  test('[journal-3] applies nothing after a gap until it is filled', async () => {
    const device = await enrollTestDevice(setup);
    await using connected = await connectDevice(setup, device);
    const entries = connected.number([event(1), event(2), event(3), event(4)]);
    await connected.entries(entries.slice(0, 1));
    await until(() => connected.ackedUpTo === 1);
    await connected.entries(entries.slice(3));
    await connected.entries(entries.slice(1));
    await until(() => connected.ackedUpTo === 4);
    const rows = await auditOf(device.deviceId, 'device-event.service-crashed');
    expect(rows.map(({ data }) => data['number'])).toEqual([1, 2, 3, 4]);
    expect(await auditOf(device.deviceId, 'device.journal-gap')).toHaveLength(0);
  });

  test('[journal-4] records and skips a gap that the device cannot fill', async () => {
    const device = await enrollTestDevice(setup);
    await using connected = await connectDevice(setup, device);
    const entries = connected.number([event(1), event(2), event(3), event(4)]);
    await connected.entries(entries.slice(3));
    await new Promise((resolve) => {
      setTimeout(resolve, 300);
    });
    expect(connected.ackedUpTo).toBe(0);
    await connected.entries(entries.slice(3));
    await until(() => connected.ackedUpTo === 4);
    const [gap] = await auditOf(device.deviceId, 'device.journal-gap');
    expect(gap?.data).toMatchObject({ from: 1, to: 3 });
  });

  test('records an invalid payload once a minute and continues', async () => {
    const device = await enrollTestDevice(setup);
    await using connected = await connectDevice(setup, device);
    await connected.say('journal', '{"instanceId":');
    await connected.say('journal', { instanceId: device.instanceId, epoch: 'no', entries: [] });
    await connected.say('heartbeat', '\u0000');
    await connected.journal(event(1));
    await until(() => connected.ackedUpTo === 1);
    const rows = await until(async () => {
      const found = await auditOf(device.deviceId, 'device.refused');
      return found.length > 0 && found;
    });
    expect(rows).toHaveLength(1);
    expect(rows[0]?.data).toMatchObject({ reason: 'broken-payload' });
  });

  test('stores text with replacement characters where the database cannot store it', async () => {
    const device = await enrollTestDevice(setup);
    await using connected = await connectDevice(setup, device);
    const data = { 'a\u0000b': 'x\u0000y', half: '\ud83d', whole: '\u{1f600}' };
    await connected.journal({ kind: 'event', type: 'odd-text', data });
    await until(() => connected.ackedUpTo === 1);
    const [row] = await auditOf(device.deviceId, 'device-event.odd-text');
    expect(row?.data).toMatchObject({ 'a\uFFFDb': 'x\uFFFDy', half: '\uFFFD', whole: '\u{1f600}' });
  });

  test('records an entry that the database rejects and does not block the others', async () => {
    const [bad, good] = [await enrollTestDevice(setup), await enrollTestDevice(setup)];
    await using one = await connectDevice(setup, bad);
    await using other = await connectDevice(setup, good);
    // Nested deeper than PostgreSQL's stack allows for a jsonb value.
    const marked = { kind: 'event', type: 'service-crashed', data: { number: 'deep' } } as const;
    const entries = one.number([event(1), marked, event(2)]);
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const { instanceId, epoch } = one;
    const payload = JSON.stringify({ instanceId, epoch, entries }).replace('"deep"', deep);
    await Promise.all([one.say('journal', payload), other.journal(event(7))]);
    await until(() => one.ackedUpTo === 3 && other.ackedUpTo === 1);
    const rows = await auditOf(bad.deviceId, 'device-event.service-crashed');
    expect(rows.map(({ data }) => data['number'])).toEqual([1, 2]);
    const [refused] = await auditOf(bad.deviceId, 'device.refused');
    expect(refused?.data).toMatchObject({ reason: 'entry-failed', seq: 2 });
  });

  test('ignores the journal of an instance that is not current', async () => {
    const device = await enrollTestDevice(setup);
    await using connected = await connectDevice(setup, device);
    await connected.journal(event(1));
    await until(() => connected.ackedUpTo === 1);
    // Its birth must be stored first: stored later, it would be rejected and the connection ended.
    await until(async () => (await statusOf(device))?.connectivity === 'online');
    await setup.database.pool.query(
      `update device_instance set state = 'superseded' where id = $1`,
      [device.instanceId],
    );
    await connected.journal(event(2));
    await until(async () => (await auditOf(device.deviceId, 'device.refused')).length > 0);
    expect(connected.ackedUpTo).toBe(1);
  });
});

describe('faults', () => {
  test("reconnects devices and loses nothing when the broker's thread ends", async () => {
    const device = await enrollTestDevice(setup);
    const first = await connectDevice(setup, device);
    await first.journal(event(1));
    await until(() => first.ackedUpTo === 1);
    const unsent = first.number([event(2), event(3)]);
    await setup.broker.crash();
    await until(async () => (await statusOf(device))?.connectivity === 'unknown');
    await first[Symbol.asyncDispose]();
    const again = await until(() =>
      connectDevice(setup, device, { journal: { epoch: first.epoch, seq: first.seq } }).catch(
        () => undefined,
      ),
    );
    await again.entries(unsent);
    await until(() => again.ackedUpTo === 3);
    expect(await auditOf(device.deviceId, 'device-event.service-crashed')).toHaveLength(3);
    await until(async () => (await statusOf(device))?.connectivity === 'online');
    await again[Symbol.asyncDispose]();
  });

  test('acknowledges nothing while the database cannot commit', async () => {
    const device = await enrollTestDevice(setup);
    await using connected = await connectDevice(setup, device);
    const blocker = await setup.database.pool.connect();
    try {
      await blocker.query('begin');
      await blocker.query('select 1 from device_instance where id = $1 for update', [
        device.instanceId,
      ]);
      await connected.journal(event(1));
      await new Promise((resolve) => {
        setTimeout(resolve, 400);
      });
      expect(connected.ackedUpTo).toBe(0);
      await blocker.query('commit');
    } finally {
      blocker.release();
    }
    await until(() => connected.ackedUpTo === 1);
  });
});
