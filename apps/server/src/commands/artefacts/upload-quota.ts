import {
  COLLECTED_FILES_PER_DAY,
  COLLECTED_FILES_PER_INVOCATION,
} from '@deviceportal/contract/device-limits';
import { PortalError } from '@deviceportal/contract/errors';
import type { UploadTarget } from './artefact-row-store.ts';

/**
 * How many bytes a device may still leave with an invocation.
 *
 * @throws PortalError 2004 where it is none, or no file more
 */
export function roomFor({ files, bytes, dayFiles, dayBytes }: UploadTarget): number {
  const [own, day] = [COLLECTED_FILES_PER_INVOCATION, COLLECTED_FILES_PER_DAY];
  if (files >= own.files) throw full(`No more than ${own.files} files of one run on a device`);
  if (bytes >= own.bytes) throw full(`No more than ${own.bytes} bytes of one run on a device`);
  if (dayFiles >= day.files) throw full(`No more than ${day.files} files of a device in 24 hours`);
  if (dayBytes >= day.bytes) throw full(`No more than ${day.bytes} bytes of a device in 24 hours`);
  return Math.min(own.bytes - bytes, day.bytes - dayBytes);
}

const full = (message: string): PortalError => new PortalError('invalidParameters', { message });
