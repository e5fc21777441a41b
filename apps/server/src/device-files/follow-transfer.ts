import type { FileTransfer } from '@deviceportal/contract/device-files';
import { PortalError } from '@deviceportal/contract/errors';
import { findReach } from '../devices/data/connections/find-reach.ts';
import { findDevice } from '../devices/find-device.ts';
import { holderOf } from '../platform/person-links.ts';
import type { Viewer } from '../platform/viewer.ts';
import { findFileRequest, takeResend, type FileRequestRow } from './data/device-file-queries.ts';
import type { DeviceFilesDeps } from './device-files-deps.ts';
import { endRequest } from './end-request.ts';

/** A request without progress for this time is sent again. */
const RESEND_SECONDS = 5;

/**
 * The state of the user's own transfer, with a link to its content at the end. While the user
 * follows it, a request that got lost, or whose agent was restarted, is sent again: with the rights
 * that the user has now.
 * @throws PortalError 2003 for another user's transfer; 6000 if the permission or scope has ended
 */
export async function followTransfer(
  deps: DeviceFilesDeps,
  viewer: Viewer,
  { id }: { readonly id: string },
): Promise<FileTransfer> {
  const row = await requireOwn(deps, viewer, id);
  const { orm } = deps.database;
  if (row.state === 'sent' && (await findReach(orm, row.deviceId)).isConnected) {
    if (await takeResend(orm, id, RESEND_SECONDS))
      deps.changes.publish([{ kind: 'file-request', requestId: id }]);
  }
  const hasContent = row.action === 'read' && row.state === 'done' && row.storageKey !== null;
  const { action, path, state, failure, bytes, receivedBytes, start, totalBytes } = row;
  return {
    ...{ id, action, path, state, failure, bytes, receivedBytes, start, totalBytes },
    sha256: state === 'done' || action === 'write' ? row.sha256 : null,
    url: hasContent ? contentUrlOf(deps, viewer, id) : null,
  };
}

const contentUrlOf = ({ fileLinks }: DeviceFilesDeps, viewer: Viewer, id: string): string =>
  viewer.apiToken === undefined
    ? fileLinks.signContentUrl(id, holderOf(viewer))
    : fileLinks.signTokenUrl(id, viewer.apiToken.id);

/** Ends the user's own transfer. The device notices when it sends or fetches the next piece. */
export async function cancelTransfer(
  deps: DeviceFilesDeps,
  viewer: Viewer,
  { id }: { readonly id: string },
): Promise<void> {
  await requireOwn(deps, viewer, id);
  await endRequest(deps, { id, failure: 'canceled' });
}

async function requireOwn(
  { database }: DeviceFilesDeps,
  viewer: Viewer,
  id: string,
): Promise<FileRequestRow> {
  const row = await findFileRequest(database.orm, id);
  const isOwn = row?.userId === viewer.userId;
  // A token does not see what its user does in the portal.
  const isOwnOfToken = viewer.apiToken === undefined || row?.tokenId === viewer.apiToken.id;
  if (row === undefined || !isOwn || !isOwnOfToken) throw new PortalError('notFound');
  const permission = row.action === 'write' ? 'files:write' : 'files:read';
  await findDevice(database.orm, viewer, { reference: row.deviceId, permissions: [permission] });
  return row;
}
