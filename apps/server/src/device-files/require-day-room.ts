import { DEVICE_FILE_BYTES_PER_DAY } from '@deviceportal/contract/device-files';
import { refuse } from '@deviceportal/contract/refuse';
import type { Executor } from '../platform/database/database.ts';
import { countDayBytes } from './data/device-file-queries.ts';

/** @throws PortalError 2004 if a device would transfer more in 24 hours than it may */
export async function requireDayRoom(
  on: Executor,
  request: { readonly id: string; readonly deviceId: string; readonly bytes: number },
): Promise<void> {
  const most = DEVICE_FILE_BYTES_PER_DAY;
  if ((await countDayBytes(on, request)) + request.bytes > most)
    throw refuse('files-quota', { facts: { most } });
}
