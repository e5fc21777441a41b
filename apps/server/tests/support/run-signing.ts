import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { endorsedBytes, keyIdOf, type RingKey } from '@deviceportal/command-signing/key-trust';
import type { RunKeys, RunSigning } from '../../src/commands/signing/run-signing.ts';
import type { DeviceKeys } from '../../src/gateway/certificates/announce-keys.ts';
import { TargetTrees } from '../../src/commands/signing/target-trees.ts';

/** A key ring in memory; each further key is endorsed by the previous one. */
export function testRunKeys(count = 1): RunKeys {
  const keys: (RingKey & { readonly privateKey: KeyObject })[] = [];
  for (let made = 0; made < count; made += 1) {
    const { privateKey, publicKey: key } = generateKeyPairSync('ed25519');
    const publicKey = new Uint8Array(key.export({ format: 'der', type: 'spki' }));
    const before = keys.at(-1);
    const endorsement = before && {
      by: before.keyId,
      signature: sign(null, endorsedBytes('runs', publicKey), before.privateKey),
    };
    keys.push({ keyId: keyIdOf(publicKey), publicKey, endorsement, privateKey });
  }
  const current = keys.at(-1);
  if (current === undefined) throw new RangeError('a ring has at least one key');
  const known = keys.toReversed();
  return {
    sequence: count,
    current: { ...current, sign: async (message) => sign(null, message, current.privateKey) },
    ...{ known, trusted: known, pinned: known, withdrawn: [] },
  };
}

export const testDeviceKeys = (runs: RunKeys = testRunKeys()): DeviceKeys => ({
  runs,
  releases: testRunKeys(),
});

export function testRunSigning(keys: RunKeys = testRunKeys()): RunSigning {
  return { keys, trees: new TargetTrees(), findSoftware: async () => [] };
}
