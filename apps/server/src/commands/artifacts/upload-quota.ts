import {
  COLLECTED_FILES_PER_DAY,
  COLLECTED_FILES_PER_INVOCATION,
} from '@deviceportal/contract/device-limits';
import type { PortalError } from '@deviceportal/contract/errors';
import type { CollectedFilesUnit } from '@deviceportal/contract/command-refusals';
import { refuse } from '@deviceportal/contract/refuse';
import type { UploadTarget } from '../data/artifact-queries.ts';

/**
 * Number of bytes that a device can still upload for an invocation.
 *
 * @throws PortalError 2004 if no bytes or files are left
 */
export function roomFor({ files, bytes, dayFiles, dayBytes }: UploadTarget): number {
  const [own, day] = [COLLECTED_FILES_PER_INVOCATION, COLLECTED_FILES_PER_DAY];
  if (files >= own.files) throw full(own.files, 'files per run');
  if (bytes >= own.bytes) throw full(own.bytes, 'bytes per run');
  if (dayFiles >= day.files) throw full(day.files, 'files in 24 hours');
  if (dayBytes >= day.bytes) throw full(day.bytes, 'bytes in 24 hours');
  return Math.min(own.bytes - bytes, day.bytes - dayBytes);
}

const full = (most: number, unit: CollectedFilesUnit): PortalError =>
  refuse('file-quota-reached', { facts: { most, unit } });
