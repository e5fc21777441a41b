import { blockHash, GENESIS_HASH, type AuditBlock } from '@deviceportal/audit-proof/audit-block';
import { leafHash, recordValues, type AuditRecord } from '@deviceportal/audit-proof/audit-record';
import { toHex } from '@deviceportal/audit-proof/hashing';
import { merkleRoot } from '@deviceportal/audit-proof/merkle-tree';
import {
  inTransaction,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import { tryHoldUntilCommit } from '../../platform/database/advisory-lock.ts';
import { insertBlock, type SealedBlock } from '../data/sealing/block-queries.ts';
import { readSealedRecords } from '../data/sealing/sealed-record-queries.ts';
import { findNextUnsealed, refuseEvents } from '../data/sealing/unsealed-event-queries.ts';
import type { AuditSigner, AuditSigningKey } from '../audit-signer.ts';
import { fitsTheTime } from '../event-time.ts';
import { proofTools } from '../export/proof-tools.ts';
import { requireSameClock } from './require-same-clock.ts';
import { requireSoundHead } from './require-sound-head.ts';

/** The lock of the sealer. */
export const SEAL_LOCK = 'seal-audit-trail';

export interface SealDeps {
  readonly database: Database;
  readonly signer: AuditSigner;
  readonly clock: () => Date;
}

/**
 * Seals the next committed events in a block: a Merkle tree over them, linked to the previous block and signed. Returns how
 * many events left the queue; zero if there are none or another sealer is running. Call it again while the batch is full.
 * Events whose time does not fit are not sealed: a separate event lists them.
 *
 * Only the sealer assigns sequence numbers, in the order of sealing, not of time. So it waits for no transaction: events
 * that are committed later are sealed in a later block. There are no gaps, and writers do not wait either.
 *
 * @throws SealStopped if the chain cannot be verified
 */
export async function sealAuditTrail(deps: SealDeps, batchSize = 2_000): Promise<number> {
  return inTransaction(deps.database, async (tx) => {
    const isHeld = await tryHoldUntilCommit(tx, SEAL_LOCK);
    return isHeld ? sealNext(tx, deps, batchSize) : 0;
  });
}

/**
 * Like `sealAuditTrail`, for callers that hold `SEAL_LOCK`.
 *
 * @param deps `key`: the key for the next block, if it is not the one that the chain continues with
 */
export async function sealNext(
  tx: Transaction,
  { signer, clock, key }: Omit<SealDeps, 'database'> & { readonly key?: AuditSigningKey },
  batchSize: number,
): Promise<number> {
  const ids = await findNextUnsealed(tx, batchSize);
  if (ids.length === 0) return 0;
  const before = await requireSoundHead(tx, signer);
  const at = clock();
  await requireSameClock(tx, at, before);
  const records = await readSealedRecords(tx, ids);
  const { fitting = [], refused = [] } = Object.groupBy(records, (record) =>
    fitsTheTime(record, { now: at, before }) ? 'fitting' : 'refused',
  );
  await refuse(tx, refused, missingOf(ids, records));
  if (fitting.length > 0) {
    const signing = key ?? (await signer.keyAfter(before?.keyId));
    await insertBlock(tx, await makeBlock(fitting, before, { key: signing, at }), signing);
  }
  return ids.length;
}

async function makeBlock(
  events: readonly AuditRecord[],
  before: AuditBlock | undefined,
  { key, at }: { readonly key: AuditSigningKey; readonly at: Date },
): Promise<SealedBlock> {
  const { sha256 } = proofTools;
  const leaves = events.map((event) => leafHash(sha256, recordValues(event)));
  const header = {
    number: (before?.number ?? 0) + 1,
    firstSequence: before === undefined ? 1 : before.firstSequence + before.count,
    count: events.length,
    root: toHex(merkleRoot(sha256, leaves)),
    previousHash: before?.hash ?? GENESIS_HASH,
    sealedAt: at.toISOString(),
  };
  const hash = blockHash(sha256, header);
  const signature = (await key.sign(Buffer.from(hash, 'hex'))).toString('base64url');
  const eventIds = events.map(({ id }) => id);
  return { ...header, hash, keyId: key.keyId, signature, eventIds, leaves };
}

function missingOf(ids: readonly string[], records: readonly AuditRecord[]): string[] {
  if (ids.length === records.length) return [];
  const found = new Set(records.map(({ id }) => id));
  return ids.filter((id) => !found.has(id));
}

/** Records which events are not sealed because of their time. */
async function refuse(
  tx: Transaction,
  refused: readonly AuditRecord[],
  absent: readonly string[],
): Promise<void> {
  if (refused.length === 0 && absent.length === 0) return;
  const named = refused.map((record) => {
    const digest = toHex(leafHash(proofTools.sha256, recordValues(record)));
    return { id: record.id, at: record.at, type: record.type, digest };
  });
  await refuseEvents(tx, named, absent);
}
