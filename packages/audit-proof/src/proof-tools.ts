import type { Sha256 } from './hashing.ts';

/** What a check needs of the machine that it runs on. */
export interface ProofTools {
  readonly sha256: Sha256;
  /** A hash that is fed piece by piece. */
  readonly createSha256: () => {
    update(bytes: Uint8Array): unknown;
    digest(): Uint8Array;
  };
  /** Ed25519. */
  readonly verify: (
    publicKey: Uint8Array<ArrayBuffer>,
    signature: Uint8Array<ArrayBuffer>,
    message: Uint8Array,
  ) => Promise<boolean>;
}
