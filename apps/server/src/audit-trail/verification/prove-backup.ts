import { signedBytes } from '../../platform/backup/backup-format.ts';
import type { BackupSignature } from '../../platform/backup/load-backup.ts';
import { asNotProven } from '../../platform/backup/refused-backup.ts';
import type { VerifyingKey } from '../../platform/installation-secrets.ts';
import { auditKeyOf, rawPublicKey } from '../audit-signer.ts';
import { chainFaultLines } from './chain-fault-lines.ts';
import type { RecordSources } from '../archive/read-records.ts';
import { isSignedBy } from '../export/proof-tools.ts';
import type { AuditCheckpoint } from '../sealing/read-checkpoint.ts';
import { verifyAuditTrail, type AuditVerification } from './verify-audit-trail.ts';

export interface ProveBackupOptions {
  /** Minimum retention of events. */
  readonly keptDays: number;
  /** All must be valid. */
  readonly signatures: readonly BackupSignature[];
  /** Keys that are known from outside the backup, or endorsed by such a key. */
  readonly trusted: readonly VerifyingKey[];
  readonly checkpoint: AuditCheckpoint | undefined;
  readonly onProgress: (verified: number) => void;
}

/**
 * Proves that a restored database matches its installation: the signature covers all rows and files of the backup, the chain
 * covers all events, and the checkpoint shows that the backup is not older.
 *
 * @throws StartError with a separate exit code if it does not
 */
export async function proveBackup(
  sources: RecordSources,
  { keptDays, signatures, trusted, checkpoint, onProgress }: ProveBackupOptions,
): Promise<AuditVerification> {
  for (const signature of signatures) requireSignature(signature, trusted);
  const trustedKeys = trusted.map((key) => auditKeyOf(key, trusted));
  const now = await verifyAuditTrail(
    { ...sources, trustedKeys, keptDays },
    { kept: checkpoint?.block, onProgress },
  );
  // Events that were queued at the time of the backup are overdue by now.
  const found = { ...now, overdue: 0 };
  const isOlder = checkpoint !== undefined && found.blocks < checkpoint.block.number;
  const faults = isOlder
    ? [
        ...chainFaultLines({ ...found, holdsKept: null }),
        `Fault: the backup is older than the checkpoint: its audit trail ends at block ${found.blocks}, but the checkpoint is for block ${checkpoint.block.number}.`,
      ]
    : chainFaultLines(found);
  if (faults.length > 0) throw asNotProven(faults);
  return found;
}

function requireSignature(
  { keyId, signature, sha256 }: BackupSignature,
  trusted: readonly VerifyingKey[],
): void {
  const key = trusted.find((each) => each.keyId === keyId);
  if (key === undefined) {
    throw asNotProven([
      'Fault: the backup is not signed by a key that is known from another source.',
    ]);
  }
  if (isSignedBy(rawPublicKey(key.publicKey), signature, signedBytes(sha256))) return;
  throw asNotProven(['Fault: the backup was changed after it was signed.']);
}
