import { and, asc, desc, eq, isNull, ne, sql } from 'drizzle-orm';
import {
  WEB_PAGE_LINK_SECONDS,
  WEB_PAGE_PATHS,
  type WebPageEndReason,
  type WebPageObstacle,
  type WebPagePath,
} from '@deviceportal/contract/web-pages';
import { portalNow } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { webPagePath, webPageSession } from './web-page-tables.ts';

export type WebPageRow = typeof webPageSession.$inferSelect;
export type NewWebPage = Omit<typeof webPageSession.$inferInsert, 'state'>;

const { id, deviceId, state, label, cookieSha256 } = webPageSession;
const isOpen = ne(state, 'ended');
const MOST_SHOWN = 50;
/** More than can be open. */
export const MOST_OPEN = 500;

export interface OpenWebPages {
  readonly user: number;
  readonly device: number;
  readonly all: number;
}

/** Open sessions of the user, of the device, and of all. */
export async function countOpenPages(
  on: Executor,
  of: Pick<WebPageRow, 'userId' | 'deviceId'>,
): Promise<OpenWebPages> {
  const [found] = await on
    .select({
      user: sql<number>`(count(*) filter (where ${webPageSession.userId} = ${of.userId}))::int`,
      device: sql<number>`(count(*) filter (where ${deviceId} = ${of.deviceId}))::int`,
      all: sql<number>`count(*)::int`,
    })
    .from(webPageSession)
    .where(isOpen);
  return found ?? { user: 0, device: 0, all: 0 };
}

/** Serializes openings until commit, so that they cannot exceed the limits together. */
export async function lockPageOpenings(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('web page openings', 0))`);
}

export async function insertWebPage(tx: Transaction, row: NewWebPage): Promise<void> {
  await tx.insert(webPageSession).values({ ...row, state: 'opening' });
}

export async function findWebPage(on: Executor, wanted: string): Promise<WebPageRow | undefined> {
  const [row] = await on.select().from(webPageSession).where(eq(id, wanted));
  return row;
}

/** The session, locked until the transaction ends. */
export async function lockWebPage(
  tx: Transaction,
  wanted: string,
): Promise<WebPageRow | undefined> {
  const [row] = await tx.select().from(webPageSession).where(eq(id, wanted)).for('update');
  return row;
}

export async function listWebPages(on: Executor, of: string): Promise<WebPageRow[]> {
  return on
    .select()
    .from(webPageSession)
    .where(eq(deviceId, of))
    .orderBy(desc(webPageSession.openedAt), desc(id))
    .limit(MOST_SHOWN);
}

export async function listOpenPages(on: Executor): Promise<WebPageRow[]> {
  return on
    .select()
    .from(webPageSession)
    .where(isOpen)
    .orderBy(asc(webPageSession.openedAt))
    .limit(MOST_OPEN);
}

export async function markPageOpened(on: Executor, wanted: string): Promise<boolean> {
  const { rowCount } = await on
    .update(webPageSession)
    .set({ state: 'open', seenAt: portalNow, usedAt: portalNow })
    .where(and(eq(id, wanted), eq(state, 'opening')));
  return rowCount === 1;
}

/** The device asks a person. False if it is known, or the session is not waiting for the device. */
export async function markPageAsked(on: Executor, wanted: string): Promise<boolean> {
  const { rowCount } = await on
    .update(webPageSession)
    .set({ consentAskedAt: portalNow })
    .where(and(eq(id, wanted), eq(state, 'opening'), isNull(webPageSession.consentAskedAt)));
  return rowCount === 1;
}

/** The device answers. */
export async function touchWebPage(on: Executor, wanted: string): Promise<void> {
  await on
    .update(webPageSession)
    .set({ seenAt: portalNow })
    .where(and(eq(id, wanted), isOpen));
}

export interface WebPageEnd {
  readonly id: string;
  readonly reason: WebPageEndReason;
  readonly obstacle?: WebPageObstacle | null;
  readonly endedById?: string | null;
}

export interface EndedWebPage {
  readonly row: WebPageRow;
  /** What was requested, the most frequent first. */
  readonly paths: readonly WebPagePath[];
}

/** Undefined if it had ended before. No link and no cookie works any more. */
export async function markPageEnded(
  tx: Transaction,
  { id: wanted, reason, obstacle = null, endedById = null }: WebPageEnd,
): Promise<EndedWebPage | undefined> {
  const [row] = await tx
    .update(webPageSession)
    .set({
      ...{ state: 'ended', endedAt: portalNow, endReason: reason, obstacle, endedById },
      ...{ linkSha256: null, cookieSha256: null },
    })
    .where(and(eq(id, wanted), isOpen))
    .returning();
  if (row === undefined) return undefined;
  const paths = await tx
    .delete(webPagePath)
    .where(eq(webPagePath.sessionId, wanted))
    .returning({ method: webPagePath.method, path: webPagePath.path, count: webPagePath.count });
  return { row, paths: paths.toSorted((one, other) => other.count - one.count) };
}

/** A new link of an open session; earlier ones no longer work. */
export async function storeLink(
  on: Executor,
  { id: wanted, sha256 }: { readonly id: string; readonly sha256: string },
): Promise<boolean> {
  const { rowCount } = await on
    .update(webPageSession)
    .set({
      linkSha256: sha256,
      linkEndsAt: sql`${portalNow} + make_interval(secs => ${WEB_PAGE_LINK_SECONDS})`,
    })
    .where(and(eq(id, wanted), eq(state, 'open')));
  return rowCount === 1;
}

export interface LinkUse {
  readonly label: string;
  readonly linkSha256: string;
  readonly cookieSha256: string;
}

/** Exchanges a link for a cookie, once. The cookie of an earlier link no longer works. */
export async function useLink(on: Executor, use: LinkUse): Promise<boolean> {
  const { rowCount } = await on
    .update(webPageSession)
    .set({ cookieSha256: use.cookieSha256, linkSha256: null, usedAt: portalNow })
    .where(
      and(
        eq(label, use.label),
        eq(webPageSession.linkSha256, use.linkSha256),
        eq(state, 'open'),
        sql`${webPageSession.linkEndsAt} > ${portalNow}`,
      ),
    );
  return rowCount === 1;
}

/** Whether a session with this label has existed and ended. */
export async function hasEnded(on: Executor, wanted: string): Promise<boolean> {
  const [row] = await on.select({ state }).from(webPageSession).where(eq(label, wanted));
  return row?.state === 'ended';
}

export interface AdmittedRequest {
  readonly id: string;
  readonly deviceId: string;
  readonly port: number;
}

/**
 * Counts a request of the browser that holds the cookie of an open session, by method and path, before
 * it is forwarded. Undefined if there is no such session.
 */
export async function admitRequest(
  on: Executor,
  {
    label: wanted,
    cookie,
    method,
    path,
  }: { label: string; cookie: string; method: string; path: string },
): Promise<AdmittedRequest | undefined> {
  const { sessionId, method: ofMethod, path: ofPath } = webPagePath;
  const {
    rows: [found],
  } = await on.execute<{ id: string; device_id: string; port: number }>(sql`
    with admitted as (
      update ${webPageSession} set requests = requests + 1, used_at = ${portalNow}
      where ${label} = ${wanted} and ${cookieSha256} = ${cookie} and ${state} = 'open'
      returning ${id}, ${deviceId}, ${webPageSession.port}),
    known as (
      select count(*) >= ${WEB_PAGE_PATHS} as is_full,
        coalesce(bool_or(${ofMethod} = ${method} and ${ofPath} = ${path}), false) as is_known
      from ${webPagePath} where ${sessionId} = (select id from admitted)),
    counted as (
      insert into ${webPagePath} as stored (session_id, method, path, count)
      select admitted.id,
        case when is_full and not is_known then '' else ${method} end,
        case when is_full and not is_known then '' else ${path} end, 1
      from admitted, known
      on conflict (session_id, method, path) do update set count = stored.count + 1)
    select id, device_id, port from admitted`);
  return found && { id: found.id, deviceId: found.device_id, port: found.port };
}

/** Bytes of bodies since the last call. */
export async function addBytes(
  on: Executor,
  {
    id: wanted,
    sent,
    received,
  }: { readonly id: string; readonly sent: number; readonly received: number },
): Promise<void> {
  const { sentBytes, receivedBytes } = webPageSession;
  await on
    .update(webPageSession)
    .set({
      ...{
        sentBytes: sql`${sentBytes} + ${sent}`,
        receivedBytes: sql`${receivedBytes} + ${received}`,
      },
      usedAt: portalNow,
    })
    .where(and(eq(id, wanted), isOpen));
}
