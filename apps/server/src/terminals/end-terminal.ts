import { PortalError } from '@deviceportal/contract/errors';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { findDevice } from '../devices/find-device.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { findTerminal, markEnded, type TerminalEnd } from './data/terminal-queries.ts';
import { sealRecording } from './seal-recording.ts';
import type { TerminalDeps } from './terminal-deps.ts';

export type EndDeps = Pick<TerminalDeps, 'database' | 'changes' | 'terminalLines'>;

/** Ends a session, tells the device, and seals the recording. Does nothing if it has ended. */
export async function endSession(deps: EndDeps, end: TerminalEnd): Promise<void> {
  const { database, changes, terminalLines } = deps;
  const row = await markEnded(database.orm, end);
  if (row === undefined) return;
  terminalLines.send(row.deviceId, { kind: 'close', session: row.id });
  changes.publish([{ kind: 'terminal-ended', sessionId: row.id }]);
  await sealRecording(deps, row.id);
}

/**
 * Ends one's own session, or with `terminal:end` that of another user.
 * @throws PortalError 2003 for a session outside the scope
 */
export async function endTerminal(
  deps: EndDeps,
  caller: Caller,
  { sessionId }: { readonly sessionId: string },
): Promise<void> {
  const { database } = deps;
  const { viewer } = caller;
  const row = await findTerminal(database.orm, sessionId);
  if (row === undefined) throw new PortalError('notFound');
  const isOwn = row.userId === viewer.userId;
  if (!isOwn) {
    await findDevice(database.orm, viewer, {
      reference: row.deviceId,
      permissions: ['terminal:end'],
    });
  }
  if (row.state === 'ended') return;
  if (!isOwn) {
    await inTransaction(database, (tx) =>
      recordAudit(tx, [
        {
          type: 'terminal.ended',
          actor: actorOf(viewer, caller),
          requestId: caller.requestId,
          deviceId: row.deviceId,
          data: { sessionId, userId: row.userId },
        },
      ]),
    );
  }
  await endSession(deps, {
    id: sessionId,
    reason: isOwn ? 'closed' : 'ended-by-other',
    endedById: viewer.userId,
  });
}
