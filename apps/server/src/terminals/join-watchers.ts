import { newId } from '@deviceportal/contract/ids';
import { TERMINAL_WATCHERS } from '@deviceportal/contract/terminals';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { lockTerminal, type TerminalRow } from './data/terminal-queries.ts';
import { insertWatcher, listWatchers } from './data/watcher-queries.ts';
import type { EndDeps } from './end-terminal.ts';

export type JoinAnswer =
  | { readonly kind: 'joined'; readonly watcherId: string; readonly session: TerminalRow }
  | { readonly kind: 'ended' }
  | { readonly kind: 'too-many' };

/**
 * Adds the caller to those who watch an open session, and records it in the audit trail. Permission
 * and scope are checked by the caller of this function.
 */
export async function joinWatchers(
  { database, changes }: Pick<EndDeps, 'database' | 'changes'>,
  caller: Caller,
  sessionId: string,
): Promise<JoinAnswer> {
  const { viewer } = caller;
  // Without a lock: many users who are refused do not delay the output of the session.
  if ((await listWatchers(database.orm, sessionId)).length >= TERMINAL_WATCHERS)
    return { kind: 'too-many' };
  const answer = await inTransaction(database, async (tx): Promise<JoinAnswer> => {
    const session = await lockTerminal(tx, sessionId);
    if (session === undefined || session.state === 'ended') return { kind: 'ended' };
    if ((await listWatchers(tx, sessionId)).length >= TERMINAL_WATCHERS)
      return { kind: 'too-many' };
    const watcherId = newId();
    const { userId, username } = viewer;
    await insertWatcher(tx, { id: watcherId, sessionId, userId, username });
    await recordAudit(tx, [
      {
        type: 'terminal.watched',
        actor: actorOf(viewer, caller),
        requestId: caller.requestId,
        deviceId: session.deviceId,
        data: { sessionId, userId: session.userId },
      },
    ]);
    return { kind: 'joined', watcherId, session };
  });
  if (answer.kind === 'joined') {
    const { deviceId } = answer.session;
    changes.publish([
      { kind: 'terminal-watchers', sessionId },
      { kind: 'audit-trail', deviceIds: [deviceId] },
    ]);
  }
  return answer;
}
