import { sql, type SQL } from 'drizzle-orm';
import type { AuditBlock } from '@deviceportal/audit-proof/audit-block';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isoOf } from '../../platform/moment-cursor.ts';
import type { AuditSigningKey } from '../audit-signer.ts';

/** A block with the ids of its events and their hashes. */
export interface SealedBlock extends AuditBlock {
  readonly eventIds: readonly string[];
  readonly leaves: readonly Uint8Array[];
}

type BlockRow = AuditBlock & { readonly eventIds: string[]; readonly leafBytes: Buffer };

const HASH_BYTES = 32;

const headerFields = sql`b.number::float8 as number, b.first_sequence::float8 as "firstSequence",
  (b.last_sequence - b.first_sequence + 1)::float8 as count, encode(b.root, 'hex') as root,
  encode(b.previous_hash, 'hex') as "previousHash", encode(b.hash, 'hex') as hash, b.sealed_at as "sealedAt",
  b.key_id as "keyId", rtrim(translate(encode(b.signature, 'base64'), E'+/\n', '-_'), '=') as signature`;

const withContent = sql`${headerFields}, b.event_ids as "eventIds", b.leaves as "leafBytes"`;

export async function lastBlock(executor: Executor): Promise<AuditBlock | undefined> {
  const { rows } = await executor.execute(
    sql`select ${headerFields} from audit_block b order by b.number desc limit 1`,
  );
  return (rows as unknown as AuditBlock[]).map(headerOf)[0];
}

/** The block before the first of a key. */
export async function lastBlockBefore(
  executor: Executor,
  keyId: string,
): Promise<AuditBlock | undefined> {
  const { rows } = await executor.execute(sql`
    select ${headerFields} from audit_block b
    where b.number = (select min(number) - 1 from audit_block where key_id = ${keyId})`);
  return (rows as unknown as AuditBlock[]).map(headerOf)[0];
}

/** The newest block with what it holds. */
export async function lastSealedBlock(executor: Executor): Promise<SealedBlock | undefined> {
  const [last] = await blocksWhere(executor, sql`true order by b.number desc limit 1`);
  return last;
}

/** The blocks after one, in their order. */
export async function readBlocks(
  executor: Executor,
  after: number,
  limit: number,
): Promise<SealedBlock[]> {
  return blocksWhere(executor, sql`b.number > ${after} order by b.number limit ${limit}`);
}

/** Blocks without what they hold. */
export async function readHeaders(
  executor: Executor,
  after: number,
  limit: number,
): Promise<AuditBlock[]> {
  const { rows } = await executor.execute(sql`
    select ${headerFields} from audit_block b where b.number > ${after} order by b.number limit ${limit}`);
  return (rows as unknown as AuditBlock[]).map(headerOf);
}

/** Number of the first block with an event that was recorded from a time on; one more than the last where there is none. */
export async function firstBlockSince(executor: Executor, from: string): Promise<number> {
  const { rows } = await executor.execute(sql`
    select coalesce((select min(b.number) from audit_block b
                     where b.last_id >= audit_id_from(${from}::timestamptz)),
                    (select max(b.number) + 1 from audit_block b), 1)::float8 as number`);
  return (rows[0] as { number: number }).number;
}

/** Numbers of the blocks that hold any of these events, given in the order of their ids. */
export async function findBlocksOf(executor: Executor, ids: readonly string[]): Promise<number[]> {
  const [first, last] = [ids[0], ids.at(-1)];
  if (first === undefined || last === undefined) return [];
  const { rows } = await executor.execute(sql`
    select b.number::float8 as number from audit_block b
    where b.first_id <= ${last}::uuid and b.last_id >= ${first}::uuid
      and b.event_ids && ${sql.param(ids)}::uuid[] order by b.number`);
  return (rows as unknown as { number: number }[]).map(({ number }) => number);
}

export async function readBlocksByNumber(
  executor: Executor,
  numbers: readonly number[],
): Promise<SealedBlock[]> {
  return blocksWhere(
    executor,
    sql`b.number = any(${sql.param(numbers)}::bigint[]) order by b.number`,
  );
}

export async function insertBlock(
  tx: Transaction,
  block: SealedBlock,
  key: AuditSigningKey,
): Promise<void> {
  await tx.execute(sql`
    insert into audit_key (id, public_key, since)
    values (${key.keyId}, ${key.publicKey}, ${block.sealedAt}::timestamptz) on conflict (id) do nothing`);
  const [first, last] = [block.eventIds[0], block.eventIds.at(-1)];
  await tx.execute(sql`
    insert into audit_block (number, first_sequence, last_sequence, first_id, last_id, event_ids, leaves, root,
                             previous_hash, hash, sealed_at, key_id, signature)
    values (${block.number}, ${block.firstSequence}, ${block.firstSequence + block.count - 1}, ${first}, ${last},
            ${sql.param(block.eventIds)}::uuid[], ${Buffer.concat(block.leaves)}, decode(${block.root}, 'hex'),
            decode(${block.previousHash}, 'hex'), decode(${block.hash}, 'hex'), ${block.sealedAt}::timestamptz,
            ${block.keyId}, ${Buffer.from(block.signature, 'base64url')})`);
}

async function blocksWhere(executor: Executor, where: SQL): Promise<SealedBlock[]> {
  const { rows } = await executor.execute(
    sql`select ${withContent} from audit_block b where ${where}`,
  );
  return (rows as unknown as BlockRow[]).map(({ eventIds, leafBytes, ...header }) => ({
    ...headerOf(header),
    eventIds,
    leaves: Array.from({ length: Math.ceil(leafBytes.length / HASH_BYTES) }, (_, index) =>
      leafBytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
    ),
  }));
}

function headerOf(header: AuditBlock): AuditBlock {
  return { ...header, sealedAt: isoOf(header.sealedAt) };
}
