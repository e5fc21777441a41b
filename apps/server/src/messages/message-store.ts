import { sql } from 'drizzle-orm';
import type { MessageChannel } from '@deviceportal/identity-service/messenger';
import type { Executor } from '../platform/database/database.ts';

/**
 * `waiting` rests until the next attempt, `sending` has one, `handing-over` may have been taken by the other side. The
 * others are final.
 */
export type MessageState =
  | 'waiting'
  | 'sending'
  | 'handing-over'
  | 'sent'
  | 'refused'
  | 'uncertain'
  | 'expired'
  | 'superseded';

export interface NewMessage {
  readonly id: string;
  readonly channel: MessageChannel;
  readonly kind: string;
  readonly person: string | null;
  readonly recipientHash: string;
  readonly sealed: string;
  readonly repeatable: boolean;
  readonly createdAt: Date;
  /** Until then the first attempt has it. */
  readonly freeAt: Date;
  readonly expiresAt: Date;
}

export interface ClaimedMessage {
  readonly id: string;
  readonly channel: MessageChannel;
  readonly kind: string;
  readonly person: string | null;
  readonly sealed: string;
  readonly repeatable: boolean;
  readonly attempts: number;
  readonly expiresAt: Date;
}

/** Where an attempt left a message. A stale attempt, which another one has overtaken, changes nothing. */
export interface AttemptEnd {
  readonly id: string;
  readonly attempts: number;
  readonly state: MessageState;
  readonly reason: string | null;
  /** Of a message that waits on. */
  readonly freeAt: Date | undefined;
  readonly at: Date;
}

const COLUMNS = sql`id, channel, kind, person, sealed, repeatable, attempts, expires_at as "expiresAt"`;

/** Stores a message in the hands of its first attempt. */
export async function insertMessage(executor: Executor, message: NewMessage): Promise<void> {
  await executor.execute(sql`
    insert into outgoing_message (id, channel, kind, person, recipient_hash, sealed, state, repeatable, attempts,
      free_at, expires_at, created_at)
    values (${message.id}, ${message.channel}, ${message.kind}, ${message.person}, ${message.recipientHash},
      ${message.sealed}, 'sending', ${message.repeatable}, 1, ${iso(message.freeAt)}, ${iso(message.expiresAt)},
      ${iso(message.createdAt)})`);
}

/** Ends older codes of one kind to one address that have not been handed over. @returns how many there were */
export async function supersedeMessages(
  executor: Executor,
  older: { readonly recipientHash: string; readonly kind: string; readonly at: Date },
): Promise<number> {
  const { rowCount } = await executor.execute(sql`
    update outgoing_message set state = 'superseded', sealed = null, ended_at = ${iso(older.at)}
    where recipient_hash = ${older.recipientHash} and kind = ${older.kind} and ended_at is null
      and state in ('waiting', 'sending')`);
  return rowCount ?? 0;
}

/** Takes a message for one attempt; undefined where another one has it, or none is due. */
export async function claimMessage(
  executor: Executor,
  claim: { readonly id: string; readonly at: Date; readonly until: Date },
): Promise<ClaimedMessage | undefined> {
  const { rows } = await executor.execute<Record<string, never>>(sql`
    update outgoing_message set state = 'sending', attempts = attempts + 1, free_at = ${iso(claim.until)}
    where id = ${claim.id} and ended_at is null and free_at <= ${iso(claim.at)} and expires_at > ${iso(claim.at)}
      and (repeatable or state <> 'handing-over')
    returning ${COLUMNS}`);
  return rows[0] && toMessage(rows[0]);
}

/** What can have no further attempt: too late, or a code that the other side may have. @returns its last state */
export async function closeMessage(
  executor: Executor,
  { id, at }: { readonly id: string; readonly at: Date },
): Promise<{ channel: string; kind: string; state: MessageState } | undefined> {
  const { rows } = await executor.execute<Record<string, never>>(sql`
    update outgoing_message set sealed = null, ended_at = ${iso(at)},
      state = case when state = 'handing-over' then 'uncertain' else 'expired' end
    where id = ${id} and ended_at is null and free_at <= ${iso(at)}
      and (expires_at <= ${iso(at)} or (state = 'handing-over' and not repeatable))
    returning channel, kind, state`);
  return rows[0] as unknown as Awaited<ReturnType<typeof closeMessage>>;
}

/** The last moment at which an attempt can be stopped. @returns false: too late, replaced or overtaken */
export async function markHandingOver(
  executor: Executor,
  attempt: { readonly id: string; readonly attempts: number; readonly at: Date },
): Promise<boolean> {
  const { rowCount } = await executor.execute(sql`
    update outgoing_message set state = 'handing-over'
    where id = ${attempt.id} and state = 'sending' and attempts = ${attempt.attempts}
      and expires_at > ${iso(attempt.at)}`);
  return rowCount === 1;
}

/** @returns false where the attempt was overtaken */
export async function endAttempt(executor: Executor, end: AttemptEnd): Promise<boolean> {
  const isFinal = end.freeAt === undefined;
  const { rowCount } = await executor.execute(sql`
    update outgoing_message set state = ${end.state}, reason = ${end.reason},
      free_at = coalesce(${end.freeAt ? iso(end.freeAt) : null}::timestamptz, free_at),
      sealed = case when ${isFinal} then null else sealed end,
      ended_at = ${isFinal ? iso(end.at) : null}::timestamptz
    where id = ${end.id} and attempts = ${end.attempts} and ended_at is null`);
  return rowCount === 1;
}

/** Messages that nobody has had for a while although they should have: their job was lost. */
export async function findForgottenMessages(executor: Executor, before: Date): Promise<string[]> {
  const { rows } = await executor.execute<{ id: string }>(sql`
    select id from outgoing_message where ended_at is null and free_at <= ${iso(before)}
    order by free_at limit 100`);
  return rows.map(({ id }) => id);
}

export async function countOpenMessages(executor: Executor): Promise<number> {
  const { rows } = await executor.execute<{ count: number }>(
    sql`select count(*)::int as count from outgoing_message where ended_at is null`,
  );
  return rows[0]?.count ?? 0;
}

const iso = (at: Date): string => at.toISOString();

function toMessage(row: Record<string, unknown>): ClaimedMessage {
  const { expiresAt, ...rest } = row;
  return { ...rest, expiresAt: new Date(expiresAt as string) } as ClaimedMessage;
}
