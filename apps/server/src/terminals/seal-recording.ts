import { recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import { findTerminal, storeDigest } from './data/terminal-queries.ts';
import { digestOfRecording } from './recording.ts';
import type { TerminalDeps } from './terminal-deps.ts';

/** Records the end of a session in the audit trail, with the digest of its recording. Once per session. */
export async function sealRecording(
  { database, changes }: Pick<TerminalDeps, 'database' | 'changes'>,
  id: string,
): Promise<void> {
  const row = await findTerminal(database.orm, id);
  if (row === undefined || row.state !== 'ended' || row.sha256 !== null) return;
  const sha256 = await digestOfRecording(database.orm, row);
  const { deviceId, userId, username, endReason, exitCode, recordedBytes, endedAt, openedAt } = row;
  const seconds = Math.round(((endedAt ?? openedAt).getTime() - openedAt.getTime()) / 1_000);
  await inTransaction(database, async (tx) => {
    if (!(await storeDigest(tx, { id, sha256 }))) return;
    await recordAudit(tx, [
      {
        type: 'terminal.closed',
        actor: { kind: 'user', id: userId, name: username, address: null },
        deviceId,
        data: { sessionId: id, end: endReason, exitCode, seconds, recordedBytes, sha256 },
      },
    ]);
  });
  changes.publish([{ kind: 'audit-trail', deviceIds: [deviceId] }]);
}
