import { and, eq, gt, inArray, isNull, lte, ne, or, sql, type SQL } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { outgoingMessage, type MessageState } from './message-tables.ts';

type OutgoingMessage = typeof outgoingMessage.$inferSelect;

export interface NewMessage extends Readonly<
  Pick<
    OutgoingMessage,
    | 'id'
    | 'channel'
    | 'kind'
    | 'person'
    | 'recipientHash'
    | 'repeatable'
    | 'createdAt'
    | 'freeAt'
    | 'expiresAt'
  >
> {
  readonly sealed: string;
}

/** The columns that an attempt needs. */
const claimed = {
  id: outgoingMessage.id,
  channel: outgoingMessage.channel,
  kind: outgoingMessage.kind,
  person: outgoingMessage.person,
  sealed: outgoingMessage.sealed,
  repeatable: outgoingMessage.repeatable,
  attempts: outgoingMessage.attempts,
  expiresAt: outgoingMessage.expiresAt,
};

export type ClaimedMessage = Readonly<Pick<OutgoingMessage, keyof typeof claimed>> & {
  readonly sealed: string;
};

/** The state of a message after an attempt. An attempt that was overtaken by another one changes nothing. */
export interface AttemptEnd {
  readonly id: string;
  readonly attempts: number;
  readonly state: MessageState;
  readonly reason: string | null;
  /** For a message that waits for another attempt: the time of that attempt. */
  readonly freeAt: Date | undefined;
  readonly at: Date;
}

const isOpen = isNull(outgoingMessage.endedAt);
const ORPHAN_BATCH_SIZE = 100;

/** Stores a message, claimed by its first attempt. */
export async function insertMessage(on: Executor, message: NewMessage): Promise<void> {
  await on.insert(outgoingMessage).values({ ...message, state: 'sending', attempts: 1 });
}

/** Marks older codes of one kind to one address that have not been handed over as superseded. @returns their number */
export async function supersedeMessages(
  on: Executor,
  older: { readonly recipientHash: string; readonly kind: string; readonly at: Date },
): Promise<number> {
  const { rowCount } = await on
    .update(outgoingMessage)
    .set({ state: 'superseded', sealed: null, endedAt: older.at })
    .where(
      and(
        eq(outgoingMessage.recipientHash, older.recipientHash),
        eq(outgoingMessage.kind, older.kind),
        isOpen,
        inArray(outgoingMessage.state, ['waiting', 'sending']),
      ),
    );
  return rowCount ?? 0;
}

/** Claims a message for one attempt; undefined if another attempt has it, or none is due. */
export async function claimMessage(
  on: Executor,
  claim: { readonly id: string; readonly at: Date; readonly until: Date },
): Promise<ClaimedMessage | undefined> {
  const [row] = await on
    .update(outgoingMessage)
    .set({
      state: 'sending',
      attempts: sql`${outgoingMessage.attempts} + 1`,
      freeAt: claim.until,
    })
    .where(
      and(
        isDue(claim),
        gt(outgoingMessage.expiresAt, claim.at),
        or(eq(outgoingMessage.repeatable, true), ne(outgoingMessage.state, 'handing-over')),
      ),
    )
    .returning(claimed);
  // A message that has not ended is always sealed.
  return row && { ...row, sealed: row.sealed ?? '' };
}

/**
 * Ends a message that can have no further attempt: expired, or a code that the server may have accepted. @returns its
 * final state
 */
export async function closeMessage(
  on: Executor,
  due: { readonly id: string; readonly at: Date },
): Promise<Pick<OutgoingMessage, 'channel' | 'kind' | 'state'> | undefined> {
  const isUncertain = eq(outgoingMessage.state, 'handing-over');
  const [row] = await on
    .update(outgoingMessage)
    .set({
      sealed: null,
      endedAt: due.at,
      state: sql`case when ${isUncertain} then 'uncertain' else 'expired' end`,
    })
    .where(
      and(
        isDue(due),
        or(
          lte(outgoingMessage.expiresAt, due.at),
          and(isUncertain, eq(outgoingMessage.repeatable, false)),
        ),
      ),
    )
    .returning({
      channel: outgoingMessage.channel,
      kind: outgoingMessage.kind,
      state: outgoingMessage.state,
    });
  return row;
}

/** The last point at which an attempt can be stopped. @returns false: expired, superseded, or overtaken */
export async function markHandingOver(
  on: Executor,
  attempt: { readonly id: string; readonly attempts: number; readonly at: Date },
): Promise<boolean> {
  const { rowCount } = await on
    .update(outgoingMessage)
    .set({ state: 'handing-over' })
    .where(
      and(
        eq(outgoingMessage.id, attempt.id),
        eq(outgoingMessage.state, 'sending'),
        eq(outgoingMessage.attempts, attempt.attempts),
        gt(outgoingMessage.expiresAt, attempt.at),
      ),
    );
  return rowCount === 1;
}

/** @returns false if the attempt was overtaken */
export async function endAttempt(on: Executor, end: AttemptEnd): Promise<boolean> {
  const { state, reason, freeAt } = end;
  const { rowCount } = await on
    .update(outgoingMessage)
    .set(
      freeAt === undefined
        ? { state, reason, sealed: null, endedAt: end.at }
        : { state, reason, freeAt },
    )
    .where(and(eq(outgoingMessage.id, end.id), eq(outgoingMessage.attempts, end.attempts), isOpen));
  return rowCount === 1;
}

/** Messages whose attempt should have ended, because their job was lost. */
export async function findOrphanedMessages(on: Executor, before: Date): Promise<string[]> {
  const rows = await on
    .select({ id: outgoingMessage.id })
    .from(outgoingMessage)
    .where(and(isOpen, lte(outgoingMessage.freeAt, before)))
    .orderBy(outgoingMessage.freeAt)
    .limit(ORPHAN_BATCH_SIZE);
  return rows.map(({ id }) => id);
}

export const countOpenMessages = (on: Executor): Promise<number> =>
  on.$count(outgoingMessage, isOpen);

const isDue = ({ id, at }: { readonly id: string; readonly at: Date }): SQL | undefined =>
  and(eq(outgoingMessage.id, id), isOpen, lte(outgoingMessage.freeAt, at));
