import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOwnSecrets } from '../../src/installation/open-own-secrets.ts';
import { rotateDeviceAuthority } from '../../src/installation/rotate-device-authority.ts';
import {
  connectDevice,
  enrollTestDevice,
  rowsOf,
  until,
  type EnrolledDevice,
} from '../support/gateway-fixture.ts';
import { openRealAgentFixture, type RealAgentFixture } from '../support/real-agent-fixture.ts';
import { fileSecretsIn } from '../support/secrets/file-secrets-in.ts';

interface AgentIdentity {
  readonly certificate: string;
  readonly authorities: string;
}

let real: RealAgentFixture;
let away: EnrolledDevice;
let first: string;

beforeAll(async () => {
  real = await openRealAgentFixture();
  first = real.setup.authority.authorities;
  away = await enrollTestDevice(real.setup, 'away');
});
afterAll(() => real[Symbol.asyncDispose]());

const identity = async (): Promise<AgentIdentity> =>
  JSON.parse(await readFile(join(real.directory, 'identity.json'), 'utf8')) as AgentIdentity;

async function rotate(now: boolean) {
  const { setup } = real;
  const secrets = await openOwnSecrets({
    database: setup.database,
    config: fileSecretsIn(setup.dataDir),
  });
  const { authority, database } = setup;
  return rotateDeviceAuthority(
    { ...{ database, secrets, authority }, clock: () => new Date(), waitMs: 0 },
    { begin: true, now, broker: 'own' },
  );
}

/** What a running server does after another process has rotated the authority. */
async function follow(): Promise<void> {
  const { setup } = real;
  await setup.authority.refresh();
  setup.broker.useCertificates(setup.authority);
  await setup.gateway.announceAuthorities();
}

const isOnline = async (): Promise<boolean> => {
  const [row] = await rowsOf<{ connectivity: string }>(
    real.setup.database,
    'select connectivity from device_status where device_id = $1',
    [real.deviceId],
  );
  return row?.connectivity === 'online' || row?.connectivity === 'degraded';
};

const issuedBy = (certificate: string, authority: string): boolean =>
  new X509Certificate(certificate).verify(new X509Certificate(authority).publicKey);

test('lets a real agent receive the next authority and renew its certificate without a restart', async () => {
  expect(await rotate(false)).toMatchObject({ kind: 'overlaps' });
  await follow();
  const current = real.setup.authority.ring.current.certificate;
  const renewed = await until(async () => {
    const found = await identity();
    return issuedBy(found.certificate, current) ? found : undefined;
  });
  expect(renewed.authorities).toContain(first.trim());
  expect(renewed.authorities).toContain(current.trim());
  const { fingerprint256 } = new X509Certificate(renewed.certificate);
  const fingerprint = fingerprint256.replaceAll(':', '').toLowerCase();
  await until(
    async () =>
      (
        await rowsOf(
          real.setup.database,
          'select from device_instance where device_id = $1 and certificate_fingerprint = $2',
          [real.deviceId, fingerprint],
        )
      ).length === 1,
  );
  await until(isOnline);
});

test('serves a device that was offline and knows only the first authority until the overlap ends', async () => {
  const onlyFirst = { broker: real.setup.broker, authority: { authorities: first } } as never;
  const back = await connectDevice(onlyFirst, away);
  await back.say('status', back.status('online'));
  await until(async () => back.messages.some(({ channel }) => channel === 'authorities'));
  await back[Symbol.asyncDispose]();

  expect(await rotate(true)).toMatchObject({ kind: 'done' });
  await follow();
  await expect(connectDevice(onlyFirst, away)).rejects.toThrow(
    /certificate|closed|ECONNRESET|alert/,
  );
  real.agent.agent.disconnect();
  await until(async () => !(await isOnline()));
  real.agent.agent.connect();
  await until(isOnline);
});

test('records the rotation and its end in the audit trail and deletes the private key of the first authority', async () => {
  const events = await rowsOf<{ type: string }>(
    real.setup.database,
    "select type from audit_event where data->>'secret' = 'device-authority' order by id",
    [],
  );
  expect(events.map(({ type }) => type)).toEqual([
    'installation.secret-rotated',
    'installation.secret-retired',
  ]);
  const file = await readFile(
    join(real.setup.dataDir, 'certificates/device-authority.json'),
    'utf8',
  );
  expect(file.match(/BEGIN PRIVATE KEY/g)).toHaveLength(1);
  await expect(readFile(join(real.setup.dataDir, 'certificates/authority.pem'))).rejects.toThrow(
    'ENOENT',
  );
});
