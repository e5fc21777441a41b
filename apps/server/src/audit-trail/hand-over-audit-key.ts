import { inTransaction, type Database } from '../platform/database/database.ts';
import type { ChainBlock } from '../platform/secrets/signing-key.ts';
import { holdUntilCommit } from '../platform/database/advisory-lock.ts';
import { lastBlock, lastBlockBefore } from './data/sealing/block-queries.ts';
import type { AuditSigningKey } from './audit-signer.ts';
import { recordAudit, systemActor } from './record-audit.ts';
import { SEAL_LOCK, sealNext, type SealDeps } from './sealing/seal-audit-trail.ts';

const MOST_EVENTS = 500;

/**
 * Has the next key sign the block after those of the key before. From this block on every sealer goes on with that key,
 * also one whose ring does not say so yet: the chain itself is the hand-over, and nothing that a process is killed in
 * between has to be undone.
 *
 * @param options `stolen`: the previous key may have been copied
 * @returns the last block of the key before
 * @throws Error when nothing could be sealed
 */
export async function handOverAuditKey(
  deps: SealDeps,
  next: AuditSigningKey,
  { stolen = false }: { readonly stolen?: boolean } = {},
): Promise<ChainBlock> {
  return inTransaction(deps.database, async (tx) => {
    // Waits for a sealer that is at work; the next one waits for this.
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

/** Whether the chain has gone over to a key. */
export async function hasSealedLast(
  database: Pick<Database, 'orm'>,
  { keyId }: Pick<AuditSigningKey, 'keyId'>,
): Promise<boolean> {
  return (await lastBlock(database.orm))?.keyId === keyId;
}
