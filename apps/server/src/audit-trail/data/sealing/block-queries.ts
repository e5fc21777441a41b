import { and, asc, eq, gt, gte, lt, lte, min, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { AuditBlock } from '@deviceportal/audit-proof/audit-block';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { rowInserts } from '../../../platform/database/row-inserts.ts';
import { selectList, selectRows, type RowOf } from '../../../platform/database/select-rows.ts';
import { isoOf } from '../../../platform/moment-cursor.ts';
import type { AuditSigningKey } from '../../audit-signer.ts';
import { auditBlock, auditKey } from '../audit-trail-tables.ts';

/** A block with the IDs of its events and their hashes. */
export interface SealedBlock extends AuditBlock {
  readonly eventIds: readonly string[];
  readonly leaves: readonly Uint8Array[];
}

const HASH_BYTES = 32;

const insertedKey = rowInserts(auditKey);
const insertedBlock = rowInserts(auditBlock);

const { number, firstSequence, lastSequence, firstId, lastId } = auditBlock;
const { eventIds, leaves, keyId, sealedAt } = auditBlock;

const hexOf = (bytes: SQLWrapper): SQL<string> => sql<string>`encode(${bytes}, 'hex')`;

/** As numbers: the driver returns `bigint` as text. */
const headerList = selectList({
  number: sql<number>`${number}::float8`,
  firstSequence: sql<number>`${firstSequence}::float8`,
  count: sql<number>`(${lastSequence} - ${firstSequence} + 1)::float8`,
  root: hexOf(auditBlock.root),
  previousHash: hexOf(auditBlock.previousHash),
  hash: hexOf(auditBlock.hash),
  sealedAt,
  keyId,
  signature: sql<string>`rtrim(translate(encode(${auditBlock.signature}, 'base64'), E'+/\n', '-_'), '=')`,
});

const contentList = headerList.with({ eventIds, leaves });

const newestFirst = sql`order by ${number} desc limit 1`;
const after = (previous: number, limit: number): SQL =>
  sql`where ${number} > ${previous} order by ${number} limit ${limit}`;

export async function lastBlock(on: Executor): Promise<AuditBlock | undefined> {
  const [last] = await readHeadersBy(on, newestFirst);
  return last;
}

/** The block before the first block of a key. */
export async function lastBlockBefore(
  on: Executor,
  signingKeyId: string,
): Promise<AuditBlock | undefined> {
  const ofKey = new QueryBuilder()
    .select({ first: min(number) })
    .from(auditBlock)
    .where(eq(keyId, signingKeyId));
  const [last] = await readHeadersBy(on, sql`where ${number} = (${ofKey}) - 1`);
  return last;
}

/** The newest block with its content. */
export async function lastSealedBlock(on: Executor): Promise<SealedBlock | undefined> {
  const [last] = await readBlocksBy(on, newestFirst);
  return last;
}

/** The next blocks in their order, with their content. */
export const readBlocks = (on: Executor, previous: number, limit: number): Promise<SealedBlock[]> =>
  readBlocksBy(on, after(previous, limit));

/** The next blocks in their order, without their content. */
export const readHeaders = (on: Executor, previous: number, limit: number): Promise<AuditBlock[]> =>
  readHeadersBy(on, after(previous, limit));

export const readBlocksByNumber = (
  on: Executor,
  numbers: readonly number[],
): Promise<SealedBlock[]> =>
  readBlocksBy(on, sql`where ${isAnyOf(number, numbers)} order by ${number}`);

/**
 * Number of the first block with an event that was recorded at a time or later; one more than the last block if there is
 * none.
 */
export async function firstBlockSince(on: Executor, from: string): Promise<number> {
  const build = new QueryBuilder();
  const first = build
    .select({ number: min(number) })
    .from(auditBlock)
    .where(sql`${lastId} >= audit_id_from(${from}::timestamptz)`);
  const next = build.select({ number: sql`max(${number}) + 1` }).from(auditBlock);
  const [found] = await selectRows(
    on,
    selectList({ number: sql<number>`coalesce((${first}), (${next}), 1)::float8` }),
    (list) => sql`select ${list}`,
  );
  return found?.number ?? 1;
}

/**
 * Numbers of the blocks that contain any of these events.
 *
 * @param ids in their order
 */
export async function findBlocksOf(on: Executor, ids: readonly string[]): Promise<number[]> {
  const [first, last] = [ids[0], ids.at(-1)];
  if (first === undefined || last === undefined) return [];
  const found = await on
    .select({ number })
    .from(auditBlock)
    .where(
      and(
        lte(firstId, last),
        gte(lastId, first),
        sql`${eventIds} && ${sql.param([...ids])}::uuid[]`,
      ),
    )
    .orderBy(asc(number));
  return found.map((block) => block.number);
}

/** Hashes by number, hexadecimal. */
export async function findBlockHashes(
  on: Executor,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const found = await on
    .select({ number, hash: auditBlock.hash })
    .from(auditBlock)
    .where(isAnyOf(number, [...new Set(numbers)]));
  return new Map(found.map((block) => [block.number, block.hash.toString('hex')]));
}

/** Number of the first block after another one that was sealed before a time. */
export async function findBlockAfter(
  on: Executor,
  previous: number,
  sealedBefore: Date,
): Promise<number | undefined> {
  const [found] = await on
    .select({ number })
    .from(auditBlock)
    .where(and(gt(number, previous), lt(sealedAt, sealedBefore)))
    .orderBy(asc(number))
    .limit(1);
  return found?.number;
}

/** Without the query builder, which takes 0.2 ms for the IDs of 500 events. */
export async function insertBlock(
  tx: Transaction,
  block: SealedBlock,
  key: AuditSigningKey,
): Promise<void> {
  const at = new Date(block.sealedAt);
  const addedKey = insertedKey({ id: key.keyId, publicKey: key.publicKey, since: at });
  await tx.execute(sql`${addedKey} on conflict do nothing`);
  const [first = '', last = ''] = [block.eventIds[0], block.eventIds.at(-1)];
  const added = insertedBlock({
    number: block.number,
    firstSequence: block.firstSequence,
    lastSequence: block.firstSequence + block.count - 1,
    firstId: first,
    lastId: last,
    eventIds: [...block.eventIds],
    leaves: Buffer.concat(block.leaves),
    root: Buffer.from(block.root, 'hex'),
    previousHash: Buffer.from(block.previousHash, 'hex'),
    hash: Buffer.from(block.hash, 'hex'),
    sealedAt: at,
    keyId: block.keyId,
    signature: Buffer.from(block.signature, 'base64url'),
  });
  await tx.execute(added);
}

async function readHeadersBy(on: Executor, rest: SQL): Promise<AuditBlock[]> {
  const rows = await selectRows(
    on,
    headerList,
    (list) => sql`select ${list} from ${auditBlock} ${rest}`,
  );
  return rows.map(headerOf);
}

async function readBlocksBy(on: Executor, rest: SQL): Promise<SealedBlock[]> {
  const rows = await selectRows(
    on,
    contentList,
    (list) => sql`select ${list} from ${auditBlock} ${rest}`,
  );
  return rows.map(({ eventIds: ids, leaves: bytes, ...header }) => ({
    ...headerOf(header),
    eventIds: ids,
    leaves: Array.from({ length: Math.ceil(bytes.length / HASH_BYTES) }, (_, index) =>
      bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
    ),
  }));
}

const headerOf = (header: RowOf<typeof headerList>): AuditBlock => ({
  ...header,
  sealedAt: isoOf(header.sealedAt),
});
