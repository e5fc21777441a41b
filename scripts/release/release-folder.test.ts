import { generateKeyPairSync, sign } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyIdOf } from '@deviceportal/command-signing/key-trust';
import { isSignedRelease } from '@deviceportal/command-signing/release-signature';
import { CHECKSUMS, faultsOfRelease, PROVENANCE, sealRelease } from './release-folder.ts';

function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const spki = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }));
  return {
    keyId: keyIdOf(spki),
    publicKey: spki,
    sign: async (message: Uint8Array) => sign(null, message, privateKey),
  };
}

const key = newKey();
const facts = {
  version: '1.2.3',
  commit: 'a'.repeat(40),
  lockSha256: 'b'.repeat(64),
  node: 'v24.0.0',
  startedAt: new Date(0),
  finishedAt: new Date(1),
};
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'release-'));
  await writeFile(join(folder, 'server.tar.gz'), 'server');
  await writeFile(join(folder, 'agent.mjs'), 'agent');
  await sealRelease(folder, facts, key);
});
afterEach(() => rm(folder, { recursive: true }));

describe('a release', () => {
  it('is accepted as it was built', async () => {
    expect(await faultsOfRelease(folder, [key])).toEqual([]);
    const signature = await readFile(join(folder, 'agent.mjs.sig'), 'utf8');
    expect(isSignedRelease(Buffer.from('agent'), signature, [key])).toBe(true);
  });

  it.each(['server.tar.gz', 'agent.mjs', 'agent.mjs.sig', CHECKSUMS])(
    'is refused when %s was changed',
    async (name) => {
      await appendFile(join(folder, name), ' ');
      expect(await faultsOfRelease(folder, [key])).toEqual([
        `${name} differs from the released file.`,
      ]);
    },
  );

  it('is refused when a file is missing or was added', async () => {
    await rm(join(folder, 'agent.mjs'));
    await writeFile(join(folder, 'extra.mjs'), 'extra');
    expect(await faultsOfRelease(folder, [key])).toEqual([
      'extra.mjs is not part of the release.',
      'agent.mjs is missing.',
    ]);
  });

  it('is refused when somebody else signed it', async () => {
    await rm(join(folder, PROVENANCE));
    await sealRelease(folder, facts, newKey());
    expect(await faultsOfRelease(folder, [key])).not.toEqual([]);
  });

  it('is refused when the signed statement was changed, or has no signature', async () => {
    const envelope = JSON.parse(await readFile(join(folder, PROVENANCE), 'utf8'));
    const payload = Buffer.from(envelope.payload, 'base64').toString().replace('1.2.3', '1.2.4');
    const changed = { ...envelope, payload: Buffer.from(payload).toString('base64') };
    for (const one of [changed, { ...envelope, signatures: [] }]) {
      await writeFile(join(folder, PROVENANCE), JSON.stringify(one));
      expect(await faultsOfRelease(folder, [key])).not.toEqual([]);
    }
  });
});
