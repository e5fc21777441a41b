import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import type { TerminalRecording } from '@deviceportal/contract/terminals';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { findDevice } from '../devices/find-device.ts';
import { inTransaction } from '../platform/database/database.ts';
import { holderOf } from '../platform/person-links.ts';
import type { Caller } from '../platform/viewer.ts';
import { findTerminal } from './data/terminal-queries.ts';
import type { TerminalDeps } from './terminal-deps.ts';

/**
 * A link to the recording of an ended session, recorded in the audit trail.
 * @throws PortalError 2003 for an unknown session, 6000 outside the scope, 2004 without a recording
 */
export async function viewRecording(
  { database, signRecordingUrl }: TerminalDeps,
  caller: Caller,
  { sessionId }: { readonly sessionId: string },
): Promise<TerminalRecording> {
  const { viewer } = caller;
  const row = await findTerminal(database.orm, sessionId);
  if (row === undefined) throw new PortalError('notFound');
  const { deviceId, sha256, expiredAt } = row;
  const permissions = ['terminal:replay'] as const;
  await findDevice(database.orm, viewer, { reference: deviceId, permissions });
  if (sha256 === null || expiredAt !== null) throw refuse('terminal-not-recorded');
  await inTransaction(database, (tx) =>
    recordAudit(tx, [
      {
        type: 'terminal.recording-viewed',
        actor: actorOf(viewer, caller),
        requestId: caller.requestId,
        deviceId,
        data: { sessionId },
      },
    ]),
  );
  return { url: signRecordingUrl(sessionId, holderOf(viewer)), sha256 };
}
