import type { Database } from '../../database/database.ts';
import type { FilePlace } from '../../files/file-place.ts';
import type { SigningKeyRing } from '../../secrets/signing-key-ring.ts';
import type { StreamBackupOptions } from '../write-backup.ts';
import type { ArchiveSeal } from './sealed-object.ts';

/** What archives the embedded database. */
export interface ArchiveContext {
  /** With the owner's role. */
  readonly database: Pick<Database, 'pool'>;
  readonly dataDir: string;
  readonly place: FilePlace;
  readonly recipients: readonly string[];
  readonly auditKeys: SigningKeyRing;
  /** Files in the data folder; undefined if they are in a bucket, which is not copied. */
  readonly files: StreamBackupOptions['files'] | undefined;
  readonly keptDays: number;
  readonly clock: () => Date;
}

export const sealOf = ({ recipients, auditKeys }: ArchiveContext): ArchiveSeal => ({
  recipients,
  sign: auditKeys.current,
});
