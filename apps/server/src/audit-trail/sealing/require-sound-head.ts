import { blockHash } from '@deviceportal/audit-proof/audit-block';
import { leafHash, recordValues } from '@deviceportal/audit-proof/audit-record';
import { fromBase64Url, isSame, toHex } from '@deviceportal/audit-proof/hashing';
import { merkleRoot } from '@deviceportal/audit-proof/merkle-tree';
import type { Executor } from '../../platform/database/database.ts';
import { lastSealedBlock, type SealedBlock } from '../data/sealing/block-queries.ts';
import { readSealedRecords } from '../data/sealing/sealed-record-queries.ts';
import type { AuditSigner } from '../audit-signer.ts';
import { isSignedBy, proofTools } from '../export/proof-tools.ts';
import { SealStopped } from './seal-stopped.ts';

export interface SoundHead extends SealedBlock {
  /** Recorded time of its last event. */
  readonly reached: string;
}

/**
 * The newest block, which the next one is linked to: this installation must not sign a chain that it did not create.
 *
 * @throws SealStopped if the block cannot be verified
 */
export async function requireSoundHead(
  executor: Executor,
  signer: Pick<AuditSigner, 'trustedKey'>,
): Promise<SoundHead | undefined> {
  const block = await lastSealedBlock(executor);
  if (block === undefined) return undefined;
  const key = await signer.trustedKey(block.keyId);
  const hash = Buffer.from(block.hash, 'hex');
  // The newest block cannot be from a retired key: the next key signed the block after its last one.
  const raw = key?.lastBlock === undefined && key ? fromBase64Url(key.publicKey) : undefined;
  if (raw === undefined || !isSignedBy(raw, Buffer.from(block.signature, 'base64url'), hash)) {
    throw new SealStopped('unsigned', block.number);
  }
  if (!isWhatItSays(block)) throw new SealStopped('resealed', block.number);
  return { ...block, reached: await reachedBy(executor, block) };
}

async function reachedBy(executor: Executor, block: SealedBlock): Promise<string> {
  const [last] = await readSealedRecords(executor, block.eventIds.slice(-1));
  // The month is archived.
  if (last === undefined) return block.sealedAt;
  const leaf = block.leaves.at(-1);
  const isAsSealed =
    leaf !== undefined && isSame(leafHash(proofTools.sha256, recordValues(last)), leaf);
  if (!isAsSealed) throw new SealStopped('resealed', block.number);
  return last.at;
}

function isWhatItSays(block: SealedBlock): boolean {
  const { sha256 } = proofTools;
  const { leaves, eventIds, count } = block;
  return (
    leaves.length === count &&
    eventIds.length === count &&
    blockHash(sha256, block) === block.hash &&
    toHex(merkleRoot(sha256, leaves)) === block.root
  );
}
