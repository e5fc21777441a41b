import { and, eq, inArray, isNotNull, lt, ne, sql } from 'drizzle-orm';
import type { FileFailure } from '@deviceportal/contract/device-files';
import type { FolderPage } from '@deviceportal/device-protocol/file-message';
import type { SignedStatement } from '@deviceportal/device-protocol/messages';
import { portalNow } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { deviceFileRequest } from './device-file-tables.ts';

export type FileRequestRow = typeof deviceFileRequest.$inferSelect;
export type NewFileRequest = typeof deviceFileRequest.$inferInsert;

const { id, state, deviceId, userId, storageKey, activeAt, endedAt } = deviceFileRequest;
const isOpen = inArray(state, ['receiving', 'sent']);

export interface OpenFileRequests {
  readonly user: number;
  readonly device: number;
  readonly all: number;
}

/** Requests in progress of the user, of the device, and of all. */
export async function countOpenRequests(
  on: Executor,
  of: Pick<FileRequestRow, 'userId' | 'deviceId'>,
): Promise<OpenFileRequests> {
  const [found] = await on
    .select({
      user: sql<number>`(count(*) filter (where ${userId} = ${of.userId}))::int`,
      device: sql<number>`(count(*) filter (where ${deviceId} = ${of.deviceId}))::int`,
      all: sql<number>`count(*)::int`,
    })
    .from(deviceFileRequest)
    .where(isOpen);
  return found ?? { user: 0, device: 0, all: 0 };
}

/** Bytes of content from and to a device in 24 hours, without one request. */
export async function countDayBytes(
  on: Executor,
  of: Pick<FileRequestRow, 'id' | 'deviceId'>,
): Promise<number> {
  const [found] = await on
    .select({ bytes: sql<number>`coalesce(sum(${deviceFileRequest.bytes}), 0)::float8` })
    .from(deviceFileRequest)
    .where(
      and(
        eq(deviceId, of.deviceId),
        ne(id, of.id),
        sql`${deviceFileRequest.createdAt} > ${portalNow} - interval '24 hours'`,
      ),
    );
  return found?.bytes ?? 0;
}

/** Serializes new requests of all users until commit, so that they cannot exceed the limits together. */
export async function lockFileRequests(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('file requests', 0))`);
}

export async function insertFileRequest(tx: Transaction, row: NewFileRequest): Promise<void> {
  await tx.insert(deviceFileRequest).values(row);
}

export async function findFileRequest(
  on: Executor,
  wanted: string,
): Promise<FileRequestRow | undefined> {
  const [row] = await on.select().from(deviceFileRequest).where(eq(id, wanted));
  return row;
}

/** The request, locked until the transaction ends. */
export async function lockFileRequest(
  tx: Transaction,
  wanted: string,
): Promise<FileRequestRow | undefined> {
  const [row] = await tx.select().from(deviceFileRequest).where(eq(id, wanted)).for('update');
  return row;
}

/** Bytes were received, or sent to the device. */
export async function noteActivity(
  on: Executor,
  wanted: string,
  change: Partial<Pick<FileRequestRow, 'receivedBytes'>> = {},
): Promise<void> {
  await on
    .update(deviceFileRequest)
    .set({ activeAt: portalNow, ...change })
    .where(and(eq(id, wanted), isOpen));
}

/** Marks that a request is sent again, if it was neither sent nor active for a time. */
export async function takeResend(on: Executor, wanted: string, seconds: number): Promise<boolean> {
  const { sentAt } = deviceFileRequest;
  const { rowCount } = await on
    .update(deviceFileRequest)
    .set({ sentAt: portalNow })
    .where(
      and(
        eq(id, wanted),
        eq(state, 'sent'),
        sql`greatest(${sentAt}, ${activeAt}) < ${portalNow} - make_interval(secs => ${seconds})`,
      ),
    );
  return rowCount === 1;
}

/** What the device announces about the content that it sends; other content has another key. */
export async function setAnnounced(
  tx: Transaction,
  {
    id: wanted,
    ...announced
  }: Pick<FileRequestRow, 'id' | 'bytes' | 'start' | 'totalBytes' | 'sha256' | 'storageKey'>,
): Promise<void> {
  await tx
    .update(deviceFileRequest)
    .set({ ...announced, receivedBytes: 0, activeAt: portalNow })
    .where(eq(id, wanted));
}

/** A written file is complete in the portal, and its signed request can be sent. */
export async function markSent(
  tx: Transaction,
  wanted: string,
  sent: { readonly statement: SignedStatement; readonly sha256: string },
): Promise<void> {
  await tx
    .update(deviceFileRequest)
    .set({ ...sent, state: 'sent', receivedBytes: 0, sentAt: portalNow, activeAt: portalNow })
    .where(eq(id, wanted));
}

export interface FileRequestEnd {
  readonly id: string;
  readonly failure: FileFailure | null;
  readonly page?: FolderPage;
}

/** Undefined if it had ended before. */
export async function markRequestEnded(
  on: Executor,
  { id: wanted, failure, page }: FileRequestEnd,
): Promise<FileRequestRow | undefined> {
  const [row] = await on
    .update(deviceFileRequest)
    .set({
      ...{ state: failure === null ? 'done' : 'failed', failure, endedAt: portalNow },
      ...(page !== undefined && { page }),
      ...(failure === null && {
        receivedBytes: sql`coalesce(${deviceFileRequest.bytes}, 0)`,
      }),
    })
    .where(and(eq(id, wanted), isOpen))
    .returning();
  return row;
}

/** The content of a folder is not kept after it was shown. */
export async function forgetPage(on: Executor, wanted: string): Promise<void> {
  await on.update(deviceFileRequest).set({ page: null }).where(eq(id, wanted));
}

/** Requests in progress without activity for a time. */
export async function findStalled(on: Executor, seconds: number): Promise<{ id: string }[]> {
  return on
    .select({ id })
    .from(deviceFileRequest)
    .where(and(isOpen, lt(activeAt, sql`${portalNow} - make_interval(secs => ${seconds})`)))
    .limit(100);
}

/** Requests that ended before a time, and whose content is still stored. */
export async function findOldContent(
  on: Executor,
  seconds: number,
): Promise<{ id: string; storageKey: string | null }[]> {
  return on
    .select({ id, storageKey })
    .from(deviceFileRequest)
    .where(
      and(
        isNotNull(storageKey),
        inArray(state, ['done', 'failed']),
        lt(endedAt, sql`${portalNow} - make_interval(secs => ${seconds})`),
      ),
    )
    .limit(100);
}

export async function forgetContent(on: Executor, ids: readonly string[]): Promise<void> {
  await on.update(deviceFileRequest).set({ storageKey: null }).where(isAnyOf(id, ids));
}

/** Those of the keys that belong to a request. */
export async function findContentKeys(
  on: Executor,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await on
    .select({ storageKey })
    .from(deviceFileRequest)
    .where(isAnyOf(storageKey, keys));
  return new Set(rows.flatMap((row) => row.storageKey ?? []));
}
