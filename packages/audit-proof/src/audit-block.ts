import { hashText, toHex, type Sha256 } from './hashing.ts';

/** Events that were sealed together: a tree over them, linked to the block before, and signed. Hashes are hexadecimal. */
export interface AuditBlock {
  /** From 1 on, without a hole. */
  readonly number: number;
  /** Place of its first event in the trail, from 1 on. */
  readonly firstSequence: number;
  readonly count: number;
  /** Of the Merkle tree over its events. */
  readonly root: string;
  readonly previousHash: string;
  readonly hash: string;
  /** ISO 8601, by the clock of the server that sealed it. */
  readonly sealedAt: string;
  readonly keyId: string;
  /** Ed25519 over the 32 bytes of the hash, base64url. */
  readonly signature: string;
}

/** Before the first block. */
export const GENESIS_HASH = '0'.repeat(64);

const BLOCK = 2;

/** Everything that a block says, and so all blocks before it: the signature is over this hash. */
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
  /** Ed25519, the 32 bytes of RFC 8032 as base64url. */
  readonly publicKey: string;
  readonly since: string;
  /** By the key before it; none where it is trusted by itself. */
  readonly endorsement?: AuditKeyEndorsement | undefined;
  /** The last one that it has sealed, known since the next key took its place. */
  readonly lastBlock?: Pick<AuditBlock, 'number' | 'hash'> | undefined;
}

export interface AuditKeyEndorsement {
  /** Id of the key that signed. */
  readonly by: string;
  /** Ed25519, base64url. */
  readonly signature: string;
}
