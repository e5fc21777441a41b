import { hashText, toHex, type Sha256 } from './hashing.ts';

/**
 * A block of events that were sealed together: a Merkle tree over them, a link to the previous
 * block, and a signature. Hashes are hexadecimal.
 */
export interface AuditBlock {
  /** Consecutive, from 1. */
  readonly number: number;
  /** Sequence number of its first event in the trail, from 1. */
  readonly firstSequence: number;
  readonly count: number;
  /** Root of the Merkle tree over its events. */
  readonly root: string;
  readonly previousHash: string;
  readonly hash: string;
  /** ISO 8601, by the clock of the server that sealed it. */
  readonly sealedAt: string;
  readonly keyId: string;
  /** Ed25519 over the 32 bytes of the hash, base64url. */
  readonly signature: string;
}

/** Previous hash of the first block. */
export const GENESIS_HASH = '0'.repeat(64);

const BLOCK = 2;

/**
 * Hash over all fields of a block, and through the link over all previous blocks. The signature is
 * over this hash.
 */
export function blockHash(
  sha256: Sha256,
  block: Omit<AuditBlock, 'hash' | 'keyId' | 'signature'>,
): string {
  const { number, firstSequence, count, root, previousHash, sealedAt } = block;
  const said = ['device-portal-audit-block', number, firstSequence, count, root, previousHash];
  return toHex(hashText(sha256, BLOCK, JSON.stringify([...said, sealedAt])));
}

/** A key that has sealed blocks. */
export interface AuditKey {
  readonly id: string;
  /** Ed25519 public key, 32 bytes (RFC 8032), base64url. */
  readonly publicKey: string;
  readonly since: string;
  /** Signature by the previous key; absent for a key that is trusted directly. */
  readonly endorsement?: AuditKeyEndorsement | undefined;
  /** The last block that it sealed, known after the next key replaced it. */
  readonly lastBlock?: Pick<AuditBlock, 'number' | 'hash'> | undefined;
}

export interface AuditKeyEndorsement {
  /** ID of the signing key. */
  readonly by: string;
  /** Ed25519, base64url. */
  readonly signature: string;
}
