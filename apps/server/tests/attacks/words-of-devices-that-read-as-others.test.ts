import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addArtifactRoutes } from '../../src/commands/artifacts/artifact-routes.ts';
import { createArtifactStore } from '../../src/commands/artifacts/artifact-store.ts';
import { signArtifactUpload } from '../../src/commands/artifacts/sign-artifact-url.ts';
import { createClaim } from '../../src/devices/claims/create-claim.ts';
import { enrollDevice } from '../../src/devices/enrollment/enroll-device.ts';
import { createUrlSigner } from '../../src/platform/files/url-signer.ts';
import { administrator, callerOf } from '../devices/viewer-with.ts';
import {
  connectDevice,
  enrollTestDevice,
  openGatewayFixture,
  rowsOf,
  seedRun,
  until,
  type GatewayFixture,
} from '../support/gateway-fixture.ts';
import { createDirectoryFiles } from '../../src/platform/files/directory-files.ts';

/** Displayed as "K200-exe.pdf": a direction override and a zero-width space. */
const REVERSED = 'K200-\u202Efdp.exe\u200B';
const PLAIN = 'K200-fdp.exe';

let setup: GatewayFixture;
beforeAll(async () => {
  setup = await openGatewayFixture();
});
afterAll(() => setup[Symbol.asyncDispose]());

const platform = {
  ...({ platformType: 'Linux', platformName: REVERSED, platformVersion: REVERSED } as const),
  ...{ architecture: REVERSED, agentVersion: REVERSED, hostName: REVERSED, model: REVERSED },
};

test('a device cannot report a model, host, or component that is displayed as another', async () => {
  const enrolled = await enrollTestDevice(setup);
  await using device = await connectDevice(setup, enrolled);
  await device.journal(
    {
      ...{ kind: 'inventory', ...platform, ipAddress: null, serialNumber: null },
      ...{ hardwareRevision: REVERSED, timeZone: null, details: {} },
    },
    { kind: 'software', components: [{ component: REVERSED, version: REVERSED }] },
  );
  await until(() => device.ackedUpTo === 2);
  const [kept] = await rowsOf(
    setup.database,
    `select d.model, d.hardware_revision, n.host_name, n.platform_name, n.platform_version, n.agent_version, v.component,
       v.version
     from device d join device_instance n on n.device_id = d.id join device_version v on v.device_id = d.id
     where d.id = $1`,
    [enrolled.deviceId],
  );
  expect(new Set(Object.values(kept ?? {}))).toEqual(new Set([PLAIN]));
});

test('a machine cannot enroll with a model or host that is displayed as another', async () => {
  const deps = { ...setup, clock: () => new Date(), installCommand: async () => '' };
  const claim = await createClaim(deps, callerOf(administrator), {
    ...{ model: null, ownerId: null, country: null, labels: {}, uses: 1, lifetimeHours: 1 },
    device: null,
  });
  const request = {
    claimToken: claim.token,
    serialNumber: null,
    certificateRequest: '',
    ...platform,
  };
  const [startsAt, endsAt] = [new Date(), new Date(Date.now() + 86_400_000)];
  const { deviceId } = await enrollDevice(deps, request, {
    address: '192.0.2.7',
    readKeyFingerprint: async () => 'SHA256:x',
    issueCertificate: async () => ({ fingerprint: 'f', startsAt, endsAt }),
  });
  const [kept] = await rowsOf(
    setup.database,
    `select d.name, d.model, n.host_name, n.platform_name, s.agent_version
     from device d join device_instance n on n.device_id = d.id join device_status s on s.device_id = d.id
     where d.id = $1`,
    [deviceId],
  );
  expect(new Set(Object.values(kept ?? {}))).toEqual(new Set([PLAIN]));
});

test('a device cannot have a program presented as a document for download', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'words-'));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(directory, { recursive: true, force: true }));
  const signer = createUrlSigner(Buffer.alloc(32, 7), () => new Date());
  const app = fastify();
  cleanup.defer(() => app.close());
  const { database } = setup;
  const nobody = { links: undefined as never, seesInvocation: async () => false };
  const store = createArtifactStore(createDirectoryFiles(directory, 'spread'));
  addArtifactRoutes(app, { ...nobody, database, signer, store });
  const enrolled = await enrollTestDevice(setup);
  const { invocationIds } = await seedRun(database, { deviceIds: [enrolled.deviceId] });
  const [invocationId = ''] = invocationIds;
  const upload = signArtifactUpload(signer, { baseUrl: '', invocationId, validSeconds: 600 });
  const reply = await app.inject({
    ...{ method: 'PUT', payload: 'MZ', headers: { 'content-type': 'application/octet-stream' } },
    url: `${upload}&name=${encodeURIComponent(REVERSED)}`,
  });
  expect(reply.statusCode).toBe(201);
  await using device = await connectDevice(setup, enrolled);
  const sha256 = createHash('sha256').update('MZ').digest('hex');
  await device.journal({
    ...{ kind: 'invocation-artefact', invocationId, name: REVERSED, bytes: 2, sha256 },
  });
  await until(() => device.ackedUpTo === 1);
  const kept = await rowsOf(
    database,
    'select name, reported_sha256 as reported from invocation_artifact where invocation_id = $1',
    [invocationId],
  );
  expect(kept).toEqual([{ name: PLAIN, reported: sha256 }]);
});
