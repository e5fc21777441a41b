import type { BackupFault, BackupFaultReason } from '@deviceportal/contract/backups';
import { faultReason } from '../data-sources/fault-reason.ts';
import { STORE_FULL } from '../platform/files/is-store-full.ts';
import { INTERRUPTED } from './record-attempt.ts';

/** Errors of file systems; those of stores in a network are those of other data sources. */
const patterns: readonly (readonly [BackupFaultReason, RegExp])[] = [
  ['no-space', STORE_FULL],
  ['access-denied', /EACCES|EPERM|EROFS/],
  ['not-found', /ENOENT|ENOTDIR/],
  ['unreachable', /EIO|ESTALE|ENODEV/],
];

export function backupFault(text: string): BackupFault {
  if (text === INTERRUPTED) return { reason: 'interrupted', text };
  const found = patterns.find(([, pattern]) => pattern.test(text));
  return { reason: found?.[0] ?? faultReason(text), text };
}
