import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mqtt from 'mqtt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import {
  openCertificateAuthority,
  type RotatingCertificateAuthority,
} from '../../src/gateway/certificates/certificate-authority.ts';
import { openOwnSecrets } from '../../src/installation/open-own-secrets.ts';
import {
  rotateDeviceAuthority,
  type RotateDeviceAuthorityOptions,
} from '../../src/installation/rotate-device-authority.ts';
import type { InstallationSecrets } from '../../src/platform/installation-secrets.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { createRequest } from '../support/gateway-fixture.ts';
import { hasMosquitto, Mosquitto } from '../support/brokers/mosquitto.ts';
import { fileSecretsIn } from '../support/secrets/file-secrets-in.ts';

const DAY_MS = 86_400_000;

interface Device {
  readonly key: string;
  readonly cert: string;
  /** The authorities that it accepts. */
  readonly ca: string;
}

describe.runIf(hasMosquitto)('rotation of the device authority behind an external broker', () => {
  const resources = new AsyncDisposableStack();
  let dataDir: string;
  let db: TestDatabase;
  let secrets: InstallationSecrets;
  let authority: RotatingCertificateAuthority;
  let broker: Mosquitto;
  let first: Device;
  let renewed: Device;
  let now = new Date();

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'dp-own-broker-'));
    resources.defer(() => rm(dataDir, { recursive: true, force: true }));
    db = resources.use(await createTestDatabase());
    const { database } = db;
    secrets = await openOwnSecrets({ database, config: fileSecretsIn(dataDir) });
    authority = await openCertificateAuthority({ store: secrets.store, hosts: [] });
    broker = resources.use(await Mosquitto.start({ directory: dataDir, authority }));
    first = await enroll();
  });
  afterAll(() => resources.disposeAsync());

  const rotate = (side: RotateDeviceAuthorityOptions['broker']) =>
    rotateDeviceAuthority(
      { ...{ database: db.database, secrets, authority }, clock: () => now, waitMs: 0 },
      { begin: true, now: false, broker: side },
    );
  const certificates = (name: string): string => join(dataDir, 'certificates', name);

  async function enroll(): Promise<Device> {
    const { key, request } = await createRequest();
    const { certificate } = await authority.sign(request, { deviceId: newId(), instanceId: null });
    return { key, cert: certificate, ca: authority.authorities };
  }

  async function connects(device: Device): Promise<boolean> {
    const options = { reconnectPeriod: 0, protocolVersion: 4, ...device } as const;
    try {
      const client = await mqtt.connectAsync(broker.access.url, options, false);
      await client.endAsync(true);
      return true;
    } catch {
      return false;
    }
  }

  test('signs nothing with the next authority before the operator confirms that the broker accepts it', async () => {
    const before = authority.ring.current.certificate;
    const asked = { kind: 'asks', request: expect.stringContaining('device-authorities.crt') };
    // Confirmed too early: the broker cannot accept an authority that is created only now.
    expect(await rotate('ready')).toEqual(asked);
    expect(await rotate('asks')).toEqual(asked);
    expect(authority.ring.current.certificate).toBe(before);
    const file = await readFile(certificates('device-authorities.crt'), 'utf8');
    expect(file).toBe(authority.authorities);
    expect(file.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    expect(file).not.toContain('PRIVATE KEY');
  });

  test('lets devices with certificates of either authority connect once the broker has the file', async () => {
    await copyFile(certificates('device-authorities.crt'), broker.access.caFile);
    await broker.killAndStart();
    expect(await rotate('ready')).toMatchObject({ kind: 'overlaps' });
    renewed = await enroll();
    expect(await connects(renewed)).toBe(true);
    expect(await connects(first)).toBe(true);
  });

  test('ends the previous authority only after the broker has a certificate of the next one', async () => {
    now = new Date(Date.now() + 91 * DAY_MS);
    const asked = { kind: 'asks', request: expect.stringContaining('server.pem') };
    // Also confirmed too early.
    expect(await rotate('ready')).toEqual(asked);
    expect(await rotate('asks')).toEqual(asked);
    expect(authority.ring.earlier).toHaveLength(1);
    await copyFile(certificates('server.pem'), join(dataDir, 'broker.crt'));
    await copyFile(certificates('server.pem'), join(dataDir, 'broker.key'));
    await broker.killAndStart();
    expect(await connects({ ...renewed, ca: authority.ring.current.certificate })).toBe(true);
    expect(await rotate('ready')).toMatchObject({ kind: 'done' });
    await copyFile(certificates('device-authorities.crt'), broker.access.caFile);
    await broker.killAndStart();
    expect(await connects({ ...renewed, ca: authority.authorities })).toBe(true);
    expect(await connects(first)).toBe(false);
  });
});
