import { isServiceActorName } from '@deviceportal/contract/service-actor-name';
import { recordAudit, type AuditDraft } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import {
  markRequestEnded,
  type FileRequestEnd,
  type FileRequestRow,
} from './data/device-file-queries.ts';
import type { DeviceFilesDeps } from './device-files-deps.ts';

/** Ends a request, with its audit event. Does nothing if it has ended before. */
export async function endRequest(
  { database, changes }: Pick<DeviceFilesDeps, 'database' | 'changes'>,
  end: FileRequestEnd,
): Promise<boolean> {
  const row = await inTransaction(database, async (tx) => {
    const ended = await markRequestEnded(tx, end);
    if (ended !== undefined) await recordAudit(tx, [eventOf(ended)]);
    return ended;
  });
  if (row === undefined) return false;
  changes.publish([
    { kind: 'file-request-ended', requestId: row.id },
    { kind: 'audit-trail', deviceIds: [row.deviceId] },
  ]);
  return true;
}

function actorOf({ userId: id, username: name, tokenId, tokenName }: FileRequestRow) {
  const byToken = tokenId === null ? undefined : { id: tokenId, name: tokenName ?? '' };
  const kind = isServiceActorName(name) ? 'system' : 'user';
  return { kind, id, name, address: null, byToken } satisfies AuditDraft['actor'];
}

/** What happened, never the content. */
function eventOf(row: FileRequestRow): AuditDraft {
  const { id, deviceId, action, path, reason, failure, bytes, start, totalBytes, sha256 } = row;
  const common = {
    actor: actorOf(row),
    deviceId,
  };
  const data = { requestId: id, path, purpose: reason };
  if (failure !== null)
    return { ...common, type: 'file.refused', data: { ...data, action, failure } };
  if (action === 'list')
    return {
      ...common,
      type: 'file.listed',
      data: { ...data, from: row.page?.offset ?? 0, entries: row.page?.total ?? 0 },
    };
  if (action === 'read')
    return { ...common, type: 'file.read', data: { ...data, bytes, start, totalBytes, sha256 } };
  return { ...common, type: 'file.written', data: { ...data, bytes, sha256 } };
}
