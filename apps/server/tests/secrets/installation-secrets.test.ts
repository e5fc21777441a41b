import { createHash, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { auditSignerOf, createAuditSigner } from '../../src/audit-trail/audit-signer.ts';
import { openCertificateAuthority } from '../../src/gateway/certificates/certificate-authority.ts';
import { openInstallationSecrets } from '../../src/platform/installation-secrets.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';
import { endorsedBytes } from '../../src/platform/secrets/signing-key.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dp-secrets-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const open = (folder = dataDir) => openInstallationSecrets(createFileSecrets(folder));

describe('secrets of an installation', () => {
  test('stay the same from start to start', async () => {
    const [first, second] = [await open(), await open()];
    expect(second.keysFor('a').current).toEqual(first.keysFor('a').current);
    expect(second.keysFor('b').current).not.toEqual(first.keysFor('a').current);
    expect(second.idpApplicationSecret).toBe(first.idpApplicationSecret);
    for (const ring of ['audit', 'runs', 'releases'] as const)
      expect(second.signingKeys(ring).current.keyId).toBe(first.signingKeys(ring).current.keyId);
  });

  test('are one set, however many servers start at once', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => open()));
    const runs = new Set(all.map((each) => each.signingKeys('runs').current.keyId));
    const derived = new Set(
      all.map((each) => Buffer.from(each.keysFor('a').current).toString('hex')),
    );
    expect([runs.size, derived.size]).toEqual([1, 1]);
    expect((await readdir(join(dataDir, 'keys'))).filter((name) => name.endsWith('.new'))).toEqual(
      [],
    );
  });

  test.skipIf(process.platform === 'win32')(
    'are files that only their owner may read',
    async () => {
      const { store } = await open();
      await openCertificateAuthority({ store, hosts: [] });
      for (const folder of ['keys', 'certificates']) {
        expect((await stat(join(dataDir, folder))).mode & 0o777).toBe(0o700);
        for (const name of await readdir(join(dataDir, folder)))
          expect((await stat(join(dataDir, folder, name))).mode & 0o777, name).toBe(0o600);
      }
    },
  );

  test('a key id is the SHA-256 of the public key, and signatures verify', async () => {
    const { current } = (await open()).signingKeys('runs');
    expect(current.keyId).toBe(createHash('sha256').update(current.publicKey).digest('base64url'));
    const message = Buffer.from('a run');
    const key = createPublicKey({
      key: Buffer.from(current.publicKey),
      format: 'der',
      type: 'spki',
    });
    expect(verify(null, message, key, await current.sign(message))).toBe(true);
  });
});

describe('an installation of a release without rings', () => {
  const key = randomBytes(32);
  beforeEach(async () => {
    await mkdir(join(dataDir, 'keys'));
    await writeFile(join(dataDir, 'keys/installation.key'), key, { mode: 0o600 });
    await writeFile(join(dataDir, 'keys/idp-application.secret'), 'kept-secret\n', { mode: 0o600 });
  });

  test('keeps its installation key, its secret at /idp and the key of its audit trail', async () => {
    const secrets = await open();
    const derived = (purpose: string) => new Uint8Array(hkdfSync('sha256', key, '', purpose, 32));
    expect(secrets.keysFor('signed links').current).toEqual(derived('signed links'));
    expect(secrets.idpApplicationSecret).toBe('kept-secret');
    const earlier = createAuditSigner(derived('audit trail'));
    const signer = auditSignerOf(secrets.signingKeys('audit'));
    expect(signer.keyId).toBe(earlier.keyId);
    expect(await signer.sign(key)).toEqual(await earlier.sign(key));
  });

  test('keeps its device authority', async () => {
    const first = await openCertificateAuthority({ store: (await open()).store, hosts: [] });
    const text = await readFile(join(dataDir, 'certificates/authority.pem'), 'utf8');
    const again = await openCertificateAuthority({ store: (await open()).store, hosts: [] });
    expect(again.authorities).toBe(first.authorities);
    expect(text).toContain(first.authorities);
  });
});

describe('a ring of signing keys', () => {
  test('goes over to a key that the key before has endorsed, and destroys the old private key', async () => {
    const ring = (await open()).signingKeys('runs');
    const elsewhere = (await open()).signingKeys('runs');
    const before = ring.current;
    const next = await ring.prepare(new Date());
    expect((await ring.prepare(new Date())).keyId).toBe(next.keyId);
    expect(ring.current.keyId).toBe(before.keyId);
    await ring.promote(new Date());
    expect(ring.current.keyId).toBe(next.keyId);
    expect(ring.known.map(({ keyId }) => keyId)).toEqual([next.keyId, before.keyId]);
    const { endorsement } = ring.current;
    const key = createPublicKey({
      key: Buffer.from(before.publicKey),
      format: 'der',
      type: 'spki',
    });
    expect(endorsement?.by).toBe(before.keyId);
    expect(verify(null, endorsedBytes('runs', next.publicKey), key, endorsement!.signature)).toBe(
      true,
    );
    expect(verify(null, endorsedBytes('audit', next.publicKey), key, endorsement!.signature)).toBe(
      false,
    );
    const file = await readFile(join(dataDir, 'keys/runs-signing-keys.json'), 'utf8');
    expect(file.match(/privateKey/g)).toHaveLength(1);
    await elsewhere.refresh();
    expect(elsewhere.current.keyId).toBe(next.keyId);
  });
});
