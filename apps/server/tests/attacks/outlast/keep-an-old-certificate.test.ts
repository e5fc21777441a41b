import 'reflect-metadata';
import { sign, webcrypto } from 'node:crypto';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { proofText, type EnrollmentRequest } from '@deviceportal/device-protocol/enrollment';
import { requireRightToEnroll } from '../../../src/devices/enrollment/require-right-to-enroll.ts';
import { openCertificateAuthority } from '../../../src/gateway/certificates/certificate-authority.ts';
import { readFormerCertificate } from '../../../src/gateway/certificates/read-former-certificate.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import {
  connectDevice,
  createRequest,
  enrollTestDevice,
  openGatewayFixture,
  rowsOf,
  until,
  type EnrolledDevice,
  type GatewayFixture,
} from '../../support/gateway-fixture.ts';

let setup: GatewayFixture;
const startedAt = new Date();
beforeAll(async () => {
  setup = await openGatewayFixture({ clock: () => startedAt });
});
afterAll(() => setup[Symbol.asyncDispose]());

/** The device with a renewed certificate; `at` is its time of issue. */
async function renewed(device: EnrolledDevice, at = new Date()): Promise<EnrolledDevice> {
  const { key, request } = await createRequest();
  const authority = await openCertificateAuthority({
    store: setup.secrets,
    hosts: [],
    clock: () => at,
  });
  const { deviceId, instanceId } = device;
  const { certificate } = await authority.sign(request, { deviceId, instanceId });
  return { ...device, key, certificate };
}

const DAY_MS = 86_400_000;
const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);

async function connects(device: EnrolledDevice): Promise<boolean> {
  try {
    await using connected = await connectDevice(setup, device);
    return connected.client.connected;
  } catch {
    return false;
  }
}

test('a certificate ends with the first use of its successor, as do all earlier ones', async () => {
  const first = await enrollTestDevice(setup);
  const [second, third] = [await renewed(first, inDays(-20)), await renewed(first, inDays(-10))];
  // The response may be lost: until its successor is used, a certificate is valid.
  expect(await connects(first)).toBe(true);
  expect(await connects(second)).toBe(true);
  expect(await connects(first)).toBe(false);
  expect(await connects(third)).toBe(true);
  expect([await connects(first), await connects(second)]).toEqual([false, false]);
  expect(await connects(third)).toBe(true);
  await until(async () => {
    const rows = await rowsOf(
      setup.database,
      `select from audit_event where device_id = $1 and type = 'device.refused' and data ->> 'reason' = 'not-admitted'`,
      [first.deviceId],
    );
    return rows.length > 0;
  });
});

test('of two certificates renewed within the same second, the later one ends the other', async () => {
  const device = await enrollTestDevice(setup);
  await using connected = await connectDevice(setup, device);
  const renew = async (count: number): Promise<EnrolledDevice> => {
    const { key, request } = await createRequest();
    await connected.say('renew', { instanceId: device.instanceId, certificateRequest: request });
    const answers = await until(() => {
      const told = connected.messages.filter(({ channel }) => channel === 'certificate');
      return told.length === count && told;
    });
    return { ...device, key, certificate: answers.at(-1)?.body['certificate'] as string };
  };
  const [second, third] = [await renew(1), await renew(2)];
  expect([await connects(second), await connects(third)]).toEqual([true, true]);
  expect([await connects(second), await connects(device)]).toEqual([false, false]);
  expect(await connects(third)).toBe(true);
});

test('an abandoned key does not prove that a machine is the device', async () => {
  const first = await enrollTestDevice(setup);
  const second = await renewed(first, inDays(-20));
  const third = await renewed(first, inDays(-10));
  expect(await connects(third)).toBe(true);
  const mayEnroll = async (holder: EnrolledDevice): Promise<boolean> => {
    const request = { claimToken: 'token', certificateRequest: 'request' };
    const signature = sign('sha256', Buffer.from(proofText(request)), holder.key);
    const former = readFormerCertificate(
      {
        ...request,
        proof: { certificate: holder.certificate, signature: signature.toString('base64') },
      } as EnrollmentRequest,
      { authorities: setup.authority.authorities, now: new Date() },
    );
    const claim = { deviceId: null, onlyRecorded: false, model: null, country: null, labels: {} };
    const device = { model: null, country: null, labels: {}, lifecycle: 'active' } as const;
    return inTransaction(setup.database, (tx) =>
      requireRightToEnroll(
        tx,
        { claim: { id: first.deviceId, ...claim }, device: { id: first.deviceId, ...device } },
        former,
      ).then(
        (right) => right === 'held',
        () => false,
      ),
    );
  };
  expect(await Promise.all([first, second, third].map(mayEnroll))).toEqual([false, false, true]);
});

test.for([
  ['P-384', { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' }],
  ['P-521', { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' }],
  [
    'RSA with 1024 bits',
    {
      name: 'RSASSA-PKCS1-v1_5',
      hash: 'SHA-256',
      modulusLength: 1_024,
      publicExponent: new Uint8Array([1, 0, 1]),
    },
  ],
  [
    'RSA whose exponent is 3',
    {
      name: 'RSASSA-PKCS1-v1_5',
      hash: 'SHA-256',
      modulusLength: 2_048,
      publicExponent: new Uint8Array([3]),
    },
  ],
] as const)('a device cannot get a certificate for a key of type %s', async ([, algorithm]) => {
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair;
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: 'CN=device',
    keys,
    signingAlgorithm: algorithm,
  });
  await expect(
    setup.authority.sign(request.toString('pem'), { deviceId: 'd', instanceId: null }),
  ).rejects.toMatchObject({ code: 2004 });
});
