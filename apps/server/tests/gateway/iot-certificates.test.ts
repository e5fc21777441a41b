import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, newInstanceId } from '@deviceportal/contract/ids';
import { lacks } from '../../../../packages/aws/tests/parts/parts.ts';
import {
  recordCalls,
  type CallRecorder,
} from '../../../../packages/aws/tests/parts/record-calls.ts';
import { startMoto } from '../../../../packages/aws/tests/parts/start-moto.ts';
import {
  openCertificateAuthority,
  type CertificateAuthority,
  type IssuedCertificate,
} from '../../src/gateway/certificates/certificate-authority.ts';
import { CertificateRegistry } from '../../src/gateway/iot/certificate-registry.ts';
import { devicePolicyDocument } from '../../src/gateway/iot/device-policy.ts';
import { isSamePolicy } from '../../src/gateway/iot/same-policy.ts';
import type { IotDevices } from '../../src/platform/aws/aws-package.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { loadAws } from '../../src/platform/aws/load-aws.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { createRequest, seedDevices } from '../support/gateway-fixture.ts';
import { createIotPolicy } from '../support/iot/create-iot-policy.ts';
import { createMemorySecrets } from '../support/secrets/memory-secrets.ts';

const POLICY = 'devices';
const resources = new AsyncDisposableStack();
let db: TestDatabase;
let moto: CallRecorder;
let devices: IotDevices;
let registry: CertificateRegistry;
let sign: CertificateAuthority['sign'];

interface Registered extends IssuedCertificate {
  readonly deviceId: string;
  readonly instanceId: string;
}

/** An enrolled device. */
async function enroll(): Promise<Registered> {
  const [deviceId, instanceId] = [newId(), newInstanceId()];
  const { request } = await createRequest();
  const issued = await sign(request, { deviceId, instanceId: null });
  const { fingerprint } = issued;
  await seedDevices(db.database, [{ deviceId, instanceId, name: 'registered', fingerprint }]);
  return { ...issued, deviceId, instanceId };
}

async function statusOf({ fingerprint }: Pick<IssuedCertificate, 'fingerprint'>): Promise<string> {
  const scope = 'AKID/20260101/us-east-1/iot/aws4_request';
  const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`;
  const url = `${moto.endpoint}/certificates/${fingerprint}`;
  const reply = await fetch(url, { headers: { authorization } });
  const found = (await reply.json()) as { certificateDescription?: { status: string } };
  return found.certificateDescription?.status ?? 'unknown';
}

const run = (text: string, ...values: unknown[]) => db.database.pool.query(text, values);

describe.skipIf(lacks('moto'))('certificates at AWS IoT', () => {
  beforeAll(async () => {
    db = resources.use(await createTestDatabase());
    const part = resources.use(await startMoto());
    const place = { partition: 'aws', region: part.region, account: '123456789012' };
    await createIotPolicy(part, { name: POLICY, document: devicePolicyDocument(place) });
    moto = resources.use(await recordCalls(part));
    const { createIotDevices } = await loadAws('iot', 'test');
    devices = createIotDevices(moto);
    registry = new CertificateRegistry({ database: db.database, devices, policy: POLICY });
    const authority = await openCertificateAuthority({ store: createMemorySecrets(), hosts: [] });
    sign = async (request, subject) => {
      const issued = await authority.sign(request, subject);
      await inTransaction(db.database, (tx) => registry.register(tx, issued, subject));
      return issued;
    };
  });
  afterAll(() => resources.disposeAsync());

  test('the policy is found by its name, and its document is the one of this release', async () => {
    const { host, policy } = await devices.describe(POLICY);
    expect(host).toMatch(/^[\w.-]+$/);
    const anywhere = devicePolicyDocument({ partition: 'aws-cn', region: '', account: '' });
    expect(isSamePolicy(policy ?? '', JSON.stringify(anywhere))).toBe(true);
    const all = { ...anywhere, Statement: [{ Effect: 'Allow', Action: 'iot:*', Resource: '*' }] };
    expect(isSamePolicy(policy ?? '', JSON.stringify(all))).toBe(false);
    expect((await devices.describe('another')).policy).toBeUndefined();
  });

  test('a certificate is active before the device gets it, and can be registered twice', async () => {
    const { deviceId, certificate, fingerprint } = await enroll();
    expect(await statusOf({ fingerprint })).toBe('ACTIVE');
    const again = await devices.register({ deviceId, certificate, policy: POLICY });
    expect(again).toBe(fingerprint);
  });

  test('that of a suspended or retired device is deactivated, and that of a resumed one activated', async () => {
    const [suspended, retired, other] = [await enroll(), await enroll(), await enroll()];
    await run(`update device set lifecycle = 'suspended' where id = $1`, suspended.deviceId);
    await run(`update device set lifecycle = 'retired' where id = $1`, retired.deviceId);
    await run(`update device_instance set state = 'revoked' where id = $1`, retired.instanceId);
    await registry.settle(null);
    const statuses = async () => Promise.all([suspended, retired, other].map(statusOf));
    expect(await statuses()).toEqual(['INACTIVE', 'INACTIVE', 'ACTIVE']);
    await run(`update device set lifecycle = 'active' where id = $1`, suspended.deviceId);
    await registry.settle([suspended.deviceId]);
    expect(await statuses()).toEqual(['ACTIVE', 'INACTIVE', 'ACTIVE']);
  });

  test('a renewed one is active beside the one in use, which is deactivated after the first use of the renewed one', async () => {
    const first = await enroll();
    const { deviceId, instanceId } = first;
    const { request } = await createRequest();
    const renewed = await sign(request, { deviceId, instanceId, after: first.startsAt });
    await run(
      'update device_instance set certificate_starts_at = $2 where id = $1',
      instanceId,
      first.startsAt,
    );
    await registry.settle([deviceId]);
    expect(await Promise.all([first, renewed].map(statusOf))).toEqual(['ACTIVE', 'ACTIVE']);
    await run(
      'update device_instance set certificate_fingerprint = $2, certificate_starts_at = $3 where id = $1',
      ...[instanceId, renewed.fingerprint, renewed.startsAt],
    );
    await registry.settle([deviceId]);
    expect(await Promise.all([first, renewed].map(statusOf))).toEqual(['INACTIVE', 'ACTIVE']);
  });

  test('the next round repeats a call that failed', async () => {
    const device = await enroll();
    await run(`update device set lifecycle = 'suspended' where id = $1`, device.deviceId);
    moto.answerNext({ status: 400, body: '{"__type":"InvalidRequestException"}' });
    await expect(registry.settle([device.deviceId])).rejects.toMatchObject({
      name: 'InvalidRequestException',
    });
    expect(await statusOf(device)).toBe('ACTIVE');
    await registry.settle(null);
    expect(await statusOf(device)).toBe('INACTIVE');
  });

  test('expired ones are deleted, also at AWS IoT', async () => {
    const { deviceId, fingerprint } = await enroll();
    await run(
      `update registered_certificate set ends_at = now() - interval '2 days' where fingerprint = $1`,
      fingerprint,
    );
    await registry.settle(null);
    await registry.remove([deviceId]);
    expect(await statusOf({ fingerprint })).toBe('unknown');
    const { rows } = await run(
      'select 1 from registered_certificate where fingerprint = $1',
      fingerprint,
    );
    expect(rows).toEqual([]);
  });
});
