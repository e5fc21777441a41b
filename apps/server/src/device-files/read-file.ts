import {
  DEVICE_FILE_LIMIT_BYTES,
  FILE_CONTENT_SECONDS,
  FILE_VIEW_BYTES,
  type readFileInput,
  type StartedFileRead,
} from '@deviceportal/contract/device-files';
import { newId } from '@deviceportal/contract/ids';
import type { z } from 'zod';
import type { Caller } from '../platform/viewer.ts';
import { beginRequest, findFileDevice } from './begin-request.ts';
import type { DeviceFilesDeps } from './device-files-deps.ts';
import { signFileRequest } from './sign-file-request.ts';

/**
 * Asks a device to send a file, or a part of it. Its progress is followed by `followTransfer`.
 * @throws PortalError 6000 outside the scope; 2004 if the device cannot be reached, or too many
 * requests are in progress
 */
export async function readFile(
  deps: DeviceFilesDeps,
  { viewer }: Caller,
  { deviceId: reference, path, reason, part }: z.infer<typeof readFileInput>,
): Promise<StartedFileRead> {
  const permission = 'files:read' as const;
  const deviceId = await findFileDevice(deps, viewer, { deviceId: reference, permission });
  const id = newId();
  const limitBytes = part === 'whole' ? DEVICE_FILE_LIMIT_BYTES : FILE_VIEW_BYTES;
  const statement = await signFileRequest(deps, {
    ...{ id, deviceId, path, reason, validMs: FILE_CONTENT_SECONDS * 1_000 },
    ...{ userId: viewer.userId, username: viewer.username },
    does: { action: 'read', part, limitBytes, url: deps.fileLinks.signDeviceUrl(id, 'send') },
  });
  await beginRequest(deps, viewer, {
    ...{ id, deviceId, path, reason, statement, part, action: 'read', state: 'sent' },
  });
  deps.changes.publish([{ kind: 'file-request', requestId: id }]);
  return { id };
}
