import { generateKeyPairSync, sign } from 'node:crypto';
import { keyIdOf } from '@deviceportal/command-signing/key-trust';
import type { RunSigning } from '../apps/server/src/commands/signing/run-signing.ts';
import { TargetTrees } from '../apps/server/src/commands/signing/target-trees.ts';

/** Signs as a server does, with a key that exists only for the benchmark. */
export function benchRunSigning(): RunSigning {
  const { privateKey, publicKey: key } = generateKeyPairSync('ed25519');
  const publicKey = new Uint8Array(key.export({ format: 'der', type: 'spki' }));
  const current = {
    keyId: keyIdOf(publicKey),
    publicKey,
    sign: async (message: Uint8Array) => new Uint8Array(sign(null, message, privateKey)),
  };
  return {
    keys: {
      ...{ current, sequence: 1, known: [current], trusted: [current], pinned: [current] },
      withdrawn: [],
    },
    trees: new TargetTrees(),
    findSoftware: async () => [],
  };
}
