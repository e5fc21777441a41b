import { generateKeyPairSync, sign } from 'node:crypto';
import { keyIdOf } from '@deviceportal/command-signing/key-trust';
import { sealAgent } from '@deviceportal/command-signing/signed-agent';

export type TestReleaseKey = ReturnType<typeof newReleaseKey>;

export function newReleaseKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const spki = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }));
  return {
    keyId: keyIdOf(spki),
    publicKey: spki,
    sign: async (message: Uint8Array) => sign(null, message, privateKey),
  };
}

/** A program that prints its version, and does the work when it is started as an agent. */
export const fakeAgent = (version: string, work = ''): Buffer =>
  Buffer.from(
    `if (process.argv[2] === 'version') console.log('${version}');\nelse { ${work} }\nexport {};\n`,
  );

export const released = (
  program: Uint8Array,
  version: string,
  key: TestReleaseKey,
  allowsDowngrade = false,
): Promise<Buffer> =>
  sealAgent(program, { version, allowsDowngrade, releasedAt: '2026-11-23T00:00:00Z' }, key);
