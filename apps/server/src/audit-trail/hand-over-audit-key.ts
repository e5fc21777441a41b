import { inTransaction, type Database } from '../platform/database/database.ts';
import type { ChainBlock } from '../platform/secrets/signing-key.ts';
import { holdUntilCommit } from '../platform/database/advisory-lock.ts';
import { lastBlock, lastBlockBefore } from './data/sealing/block-queries.ts';
import type { AuditSigningKey } from './audit-signer.ts';
import { recordAudit, systemActor } from './record-audit.ts';
import { SEAL_LOCK, sealNext, type SealDeps } from './sealing/seal-audit-trail.ts';

const MOST_EVENTS = 500;

/**
 * Signs the next block with the next key. From this block on, every sealer uses that key, even if its key ring is not
 * updated yet: the chain itself records the rotation, and an interrupted rotation leaves nothing to undo.
 *
 * @param options `stolen`: the previous key may have been copied
 * @returns the last block of the previous key
 * @throws Error if nothing could be sealed
 */
export async function handOverAuditKey(
  deps: SealDeps,
  next: AuditSigningKey,
  { stolen = false }: { readonly stolen?: boolean } = {},
): Promise<ChainBlock> {
  return inTransaction(deps.database, async (tx) => {
    // Sealers run one at a time.
    await holdUntilCommit(tx, SEAL_LOCK);
    const before = await lastBlock(tx);
    const last = before?.keyId === next.keyId ? await lastBlockBefore(tx, next.keyId) : before;
    if (last === undefined) throw new Error('no block announces the next key');
    const { number, hash } = last;
    if (last !== before) return { number, hash };
    const data = { from: last.keyId, to: next.keyId, lastBlock: number, ...(stolen && { stolen }) };
    await recordAudit(tx, [{ type: 'audit-trail.key-rotated', actor: systemActor, data }]);
    await sealNext(tx, { ...deps, key: next }, MOST_EVENTS);
    if ((await lastBlock(tx))?.keyId !== next.keyId) throw new Error('nothing could be sealed');
    return { number, hash };
  });
}

/** Whether the last block is signed with a key. */
export async function hasSealedLast(
  database: Pick<Database, 'orm'>,
  { keyId }: Pick<AuditSigningKey, 'keyId'>,
): Promise<boolean> {
  return (await lastBlock(database.orm))?.keyId === keyId;
}
