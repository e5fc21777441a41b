import { and, desc, eq, isNull, lt, ne, sql } from 'drizzle-orm';
import type { TerminalEndReason, TerminalOfferState } from '@deviceportal/contract/terminals';
import { portalNow } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { terminalEvent, terminalSession } from './terminal-tables.ts';

export type TerminalRow = typeof terminalSession.$inferSelect;
export type NewTerminal = Pick<
  TerminalRow,
  'id' | 'deviceId' | 'userId' | 'username' | 'signInId' | 'reason' | 'columns' | 'rows'
> &
  Partial<Pick<TerminalRow, 'needsConsent' | 'requestSha256'>>;

const isOpen = ne(terminalSession.state, 'ended');
const MOST_SHOWN = 50;

export interface OpenCounts {
  readonly user: number;
  readonly device: number;
  readonly all: number;
}

/** Open sessions of the user, of the device, and of all. */
export async function countOpen(
  on: Executor,
  { userId, deviceId }: Pick<TerminalRow, 'userId' | 'deviceId'>,
): Promise<OpenCounts> {
  const [found] = await on
    .select({
      user: sql<number>`(count(*) filter (where ${terminalSession.userId} = ${userId}))::int`,
      device: sql<number>`(count(*) filter (where ${terminalSession.deviceId} = ${deviceId}))::int`,
      all: sql<number>`count(*)::int`,
    })
    .from(terminalSession)
    .where(isOpen);
  return found ?? { user: 0, device: 0, all: 0 };
}

/** Serializes openings until commit, so that they cannot exceed the limits together. */
export async function lockOpenings(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('terminal openings', 0))`);
}

export async function insertTerminal(tx: Transaction, row: NewTerminal): Promise<void> {
  await tx.insert(terminalSession).values({ ...row, state: 'opening' });
}

export async function findTerminal(on: Executor, id: string): Promise<TerminalRow | undefined> {
  const [row] = await on.select().from(terminalSession).where(eq(terminalSession.id, id));
  return row;
}

/** The session, locked until the transaction ends. */
export async function lockTerminal(tx: Transaction, id: string): Promise<TerminalRow | undefined> {
  const [row] = await tx
    .select()
    .from(terminalSession)
    .where(eq(terminalSession.id, id))
    .for('update');
  return row;
}

export async function listTerminals(on: Executor, deviceId: string): Promise<TerminalRow[]> {
  return on
    .select()
    .from(terminalSession)
    .where(eq(terminalSession.deviceId, deviceId))
    .orderBy(desc(terminalSession.openedAt))
    .limit(MOST_SHOWN);
}

/** Ended sessions of a device whose recording exists, newest first. */
export async function listRecordings(
  on: Executor,
  {
    deviceId,
    before,
    limit,
  }: { readonly deviceId: string; readonly before: string | null; readonly limit: number },
): Promise<TerminalRow[]> {
  const { openedAt } = terminalSession;
  const isBefore = sql`(${openedAt}, ${terminalSession.id}) <
    (select opened_at, id from ${terminalSession} where id = ${before} and device_id = ${deviceId})`;
  return on
    .select()
    .from(terminalSession)
    .where(
      and(
        eq(terminalSession.deviceId, deviceId),
        eq(terminalSession.state, 'ended'),
        isNull(terminalSession.expiredAt),
        before === null ? undefined : isBefore,
      ),
    )
    .orderBy(desc(openedAt), desc(terminalSession.id))
    .limit(limit);
}

/** A browser takes the session over. Undefined if it has ended. */
export async function attachTerminal(on: Executor, id: string): Promise<TerminalRow | undefined> {
  const [row] = await on
    .update(terminalSession)
    .set({ attachment: sql`${terminalSession.attachment} + 1`, seenAt: portalNow })
    .where(and(eq(terminalSession.id, id), isOpen))
    .returning();
  return row;
}

export async function markOpened(
  tx: Transaction,
  { id, account }: { readonly id: string; readonly account: string },
): Promise<boolean> {
  const { rowCount } = await tx
    .update(terminalSession)
    .set({ state: 'open', account })
    .where(and(eq(terminalSession.id, id), eq(terminalSession.state, 'opening')));
  return rowCount === 1;
}

/** The device asks a person. False if it is known, or the session is not waiting for the device. */
export async function markAsked(on: Executor, id: string): Promise<boolean> {
  const { rowCount } = await on
    .update(terminalSession)
    .set({ consentAskedAt: portalNow })
    .where(
      and(
        eq(terminalSession.id, id),
        eq(terminalSession.state, 'opening'),
        isNull(terminalSession.consentAskedAt),
      ),
    );
  return rowCount === 1;
}

export interface TerminalEnd {
  readonly id: string;
  readonly reason: TerminalEndReason;
  readonly exitCode?: number | null;
  readonly obstacle?: TerminalOfferState | null;
  readonly endedById?: string | null;
  /** Only if this attachment still holds the session. */
  readonly attachment?: number;
}

/** Undefined if it had ended before. */
export async function markEnded(
  on: Executor,
  { id, reason, exitCode = null, obstacle = null, endedById = null, attachment }: TerminalEnd,
): Promise<TerminalRow | undefined> {
  const [row] = await on
    .update(terminalSession)
    .set({
      ...{ state: 'ended', endedAt: portalNow, endReason: reason },
      ...{ exitCode, obstacle, endedById },
    })
    .where(
      and(
        eq(terminalSession.id, id),
        isOpen,
        attachment === undefined ? undefined : eq(terminalSession.attachment, attachment),
      ),
    )
    .returning();
  return row;
}

const afterMs = sql<number>`least(2147483647, greatest(0, extract(epoch from portal_now(clock_timestamp()) - ${terminalSession.openedAt}) * 1000))::int`;

/** Appends output in order. The session is locked by the caller. */
export async function appendOutput(
  tx: Transaction,
  { id, position, data }: { readonly id: string; readonly position: number; readonly data: Buffer },
): Promise<void> {
  await tx.execute(sql`
    insert into ${terminalEvent} (session_id, kind, position, after_ms, data)
    select ${terminalSession.id}, 'output', ${position}, ${afterMs}, ${data}
    from ${terminalSession} where ${terminalSession.id} = ${id}`);
  await tx
    .update(terminalSession)
    .set({ recordedBytes: position + data.length })
    .where(eq(terminalSession.id, id));
}

/** Another device can name the same session. */
export const outputKey = (deviceId: string, sessionId: string): string =>
  `${deviceId}/${sessionId}`;

export interface OutputAt {
  readonly id: string;
  readonly deviceId: string;
  readonly position: number;
  readonly data: Buffer;
}

/**
 * The same for several sessions in one statement, at most one output of each. Takes those of open
 * sessions of the device whose recording has this length.
 * @returns IDs of the events by `outputKey`
 */
export async function appendOutputs(
  on: Executor,
  outputs: readonly OutputAt[],
): Promise<Map<string, number>> {
  const rows = outputs.map(({ id: sessionId, deviceId, position: at, data: bytes }) => ({
    ...{ session_id: sessionId, device_id: deviceId, at: String(at) },
    data: bytes.toString('base64'),
  }));
  const given = rowsOf({ session_id: 'uuid', device_id: 'uuid', at: 'text', data: 'text' }, rows);
  const { rows: stored } = await on.execute<{
    id: string;
    session_id: string;
    device_id: string;
  }>(sql`
    with taken as (
      update ${terminalSession} set recorded_bytes = at::bigint + octet_length(decode(g.data, 'base64'))
      from ${given} g
      where ${terminalSession.id} = g.session_id and ${terminalSession.deviceId} = g.device_id
        and ${terminalSession.recordedBytes} = at::bigint and ${isOpen}
      returning g.session_id, g.device_id, at::bigint as position, ${afterMs} as after_ms, decode(g.data, 'base64') as data),
    stored as (
      insert into ${terminalEvent} (session_id, kind, position, after_ms, data)
      select session_id, 'output', position, after_ms, data from taken
      returning id, session_id)
    select stored.id, session_id, device_id from stored join taken using (session_id)`);
  return new Map(stored.map((row) => [outputKey(row.device_id, row.session_id), Number(row.id)]));
}

export async function appendSize(
  tx: Transaction,
  { id, columns, rows }: { readonly id: string; readonly columns: number; readonly rows: number },
): Promise<void> {
  const data = Buffer.from(`${columns}x${rows}`);
  await tx.execute(sql`
    insert into ${terminalEvent} (session_id, kind, position, after_ms, data)
    select ${terminalSession.id}, 'size', ${terminalSession.recordedBytes}, ${afterMs}, ${data}
    from ${terminalSession} where ${terminalSession.id} = ${id} and ${isOpen}`);
}

export type TerminalEventRow = Pick<
  typeof terminalEvent.$inferSelect,
  'id' | 'kind' | 'position' | 'afterMs' | 'data'
>;

const { id, kind, position, data } = terminalEvent;
const eventColumns = { id, kind, position, afterMs: terminalEvent.afterMs, data };

/** The next events of a session after one of them. */
export async function readEvents(
  on: Executor,
  { sessionId, after, limit }: { sessionId: string; after: number; limit: number },
): Promise<TerminalEventRow[]> {
  return on
    .select(eventColumns)
    .from(terminalEvent)
    .where(and(eq(terminalEvent.sessionId, sessionId), sql`${id} > ${after}`))
    .orderBy(id)
    .limit(limit);
}

/** Output from the event that contains a position, for a browser that comes back. */
export async function readOutputFrom(
  on: Executor,
  { sessionId, received }: { readonly sessionId: string; readonly received: number },
): Promise<number> {
  const [found] = await on
    .select({ before: sql<number>`coalesce(max(${id}), 0)` })
    .from(terminalEvent)
    .where(
      and(
        eq(terminalEvent.sessionId, sessionId),
        sql`${position} + octet_length(${data}) <= ${received}`,
      ),
    );
  return Number(found?.before ?? 0);
}

/** The size of the screen at a position of the recording. */
export async function findSizeAt(
  on: Executor,
  {
    session,
    position: at,
  }: {
    readonly session: Pick<TerminalRow, 'id' | 'columns' | 'rows'>;
    readonly position: number;
  },
): Promise<{ readonly columns: number; readonly rows: number }> {
  const [found] = await on
    .select({ data })
    .from(terminalEvent)
    .where(
      and(eq(terminalEvent.sessionId, session.id), eq(kind, 'size'), sql`${position} <= ${at}`),
    )
    .orderBy(desc(id))
    .limit(1);
  const [columns = session.columns, rows = session.rows] =
    found?.data.toString().split('x').map(Number) ?? [];
  return { columns, rows };
}

/** Open sessions that no server has held for a while. */
export async function findAbandoned(on: Executor, seconds: number): Promise<TerminalRow[]> {
  return on
    .select()
    .from(terminalSession)
    .where(
      and(
        isOpen,
        lt(terminalSession.seenAt, sql`${portalNow} - make_interval(secs => ${seconds})`),
      ),
    )
    .limit(100);
}

export async function findUnsealed(on: Executor): Promise<string[]> {
  const rows = await on
    .select({ id: terminalSession.id })
    .from(terminalSession)
    .where(and(eq(terminalSession.state, 'ended'), isNull(terminalSession.sha256)))
    .orderBy(terminalSession.endedAt)
    .limit(20);
  return rows.map((row) => row.id);
}

export async function storeDigest(
  tx: Transaction,
  { id: sessionId, sha256 }: { readonly id: string; readonly sha256: string },
): Promise<boolean> {
  const { rowCount } = await tx
    .update(terminalSession)
    .set({ sha256 })
    .where(and(eq(terminalSession.id, sessionId), isNull(terminalSession.sha256)));
  return rowCount === 1;
}
