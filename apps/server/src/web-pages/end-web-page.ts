import { PortalError } from '@deviceportal/contract/errors';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { findDevice } from '../devices/find-device.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import {
  findWebPage,
  markPageEnded,
  type EndedWebPage,
  type WebPageEnd,
} from './data/web-page-queries.ts';
import type { WebPageDeps } from './web-page-deps.ts';

export type EndPageDeps = Pick<WebPageDeps, 'database' | 'changes' | 'webPageLines'>;

/** Paths in the event; the others are counted together. */
const MOST_PATHS = 50;
const MOST_PATH_CHARACTERS = 200;

/** Ends a session, with its audit event, and tells the device. Does nothing if it has ended. */
export async function endPageSession(deps: EndPageDeps, end: WebPageEnd): Promise<void> {
  const { database, changes, webPageLines } = deps;
  const ended = await inTransaction(database, async (tx) => {
    const found = await markPageEnded(tx, end);
    if (found !== undefined) await recordAudit(tx, [closedEvent(found)]);
    return found;
  });
  if (ended === undefined) return;
  const { deviceId } = ended.row;
  webPageLines.send(deviceId, { kind: 'close', session: end.id });
  changes.publish([
    { kind: 'web-page-ended', sessionId: end.id },
    { kind: 'audit-trail', deviceIds: [deviceId] },
  ]);
}

function closedEvent({ row, paths }: EndedWebPage) {
  const { id, deviceId, userId, username, endReason, obstacle, requests } = row;
  const shown = paths.slice(0, MOST_PATHS).map(({ method, path, count }) => ({
    ...{ method, count },
    path: path.slice(0, MOST_PATH_CHARACTERS),
  }));
  const listed = shown.reduce((sum, { count }) => sum + count, 0);
  return {
    type: 'web-page.closed',
    actor: { kind: 'user', id: userId, name: username, address: null },
    deviceId,
    data: {
      ...{ sessionId: id, port: row.port, end: endReason, obstacle, requests },
      seconds: Math.round(
        ((row.endedAt ?? row.openedAt).getTime() - row.openedAt.getTime()) / 1_000,
      ),
      ...{ sentBytes: row.sentBytes, receivedBytes: row.receivedBytes },
      ...{ paths: shown, otherRequests: Math.max(0, requests - listed) },
    },
  } as const;
}

/**
 * Ends one's own session, or with `web-pages:end` that of another user.
 * @throws PortalError 2003 for an unknown session; 6000 for one outside the scope
 */
export async function endWebPage(
  deps: EndPageDeps,
  caller: Caller,
  { sessionId }: { readonly sessionId: string },
): Promise<void> {
  const { database } = deps;
  const { viewer } = caller;
  const row = await findWebPage(database.orm, sessionId);
  if (row === undefined) throw new PortalError('notFound');
  const isOwn = row.userId === viewer.userId;
  if (!isOwn)
    await findDevice(database.orm, viewer, {
      reference: row.deviceId,
      permissions: ['web-pages:end'],
    });
  if (row.state === 'ended') return;
  if (!isOwn)
    await inTransaction(database, (tx) =>
      recordAudit(tx, [
        {
          type: 'web-page.ended',
          actor: actorOf(viewer, caller),
          requestId: caller.requestId,
          deviceId: row.deviceId,
          data: { sessionId, userId: row.userId },
        },
      ]),
    );
  await endPageSession(deps, {
    id: sessionId,
    reason: isOwn ? 'closed' : 'ended-by-other',
    endedById: viewer.userId,
  });
}
