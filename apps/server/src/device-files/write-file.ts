import { randomUUID } from 'node:crypto';
import {
  DEVICE_FILE_LIMIT_BYTES,
  type StartedFileWrite,
  type writeFileInput,
} from '@deviceportal/contract/device-files';
import { newId } from '@deviceportal/contract/ids';
import { refuse } from '@deviceportal/contract/refuse';
import type { z } from 'zod';
import { holderOf } from '../platform/person-links.ts';
import type { Caller } from '../platform/viewer.ts';
import { beginRequest, findFileDevice } from './begin-request.ts';
import type { DeviceFilesDeps } from './device-files-deps.ts';
import { requireDayRoom } from './require-day-room.ts';

/**
 * Begins to write a file: returns the link by which the browser uploads it. The device is asked when
 * the portal has all of it.
 * @throws PortalError 6000 outside the scope; 2004 if the device cannot be reached, or the file is
 * too large
 */
export async function writeFile(
  deps: DeviceFilesDeps,
  { viewer }: Caller,
  { deviceId: reference, path, reason, bytes, overwrites }: z.infer<typeof writeFileInput>,
): Promise<StartedFileWrite> {
  const limitBytes = DEVICE_FILE_LIMIT_BYTES;
  if (bytes > limitBytes) throw refuse('file-too-large', { field: 'bytes', facts: { limitBytes } });
  const permission = 'files:write' as const;
  const deviceId = await findFileDevice(deps, viewer, { deviceId: reference, permission });
  const request = { id: newId(), deviceId, path, reason, bytes, overwrites };
  await requireDayRoom(deps.database.orm, request);
  await beginRequest(deps, viewer, {
    ...{ ...request, action: 'write', state: 'receiving', storageKey: randomUUID() },
  });
  const link = { ...request, userId: viewer.userId };
  return { id: request.id, url: deps.fileLinks.signUploadUrl(link, holderOf(viewer)) };
}
