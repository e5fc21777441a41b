import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { StartError } from '../process/start-error.ts';
import { AGE_MAGIC, decryptWith } from './backup-encryption.ts';
import {
  backupEntrySchema,
  backupHeaderSchema,
  type BackupEntry,
  type BackupHeader,
} from './backup-format.ts';
import { readLines } from './read-lines.ts';
import { DamagedBackup } from './refused-backup.ts';

/** Access to a backup: identities for an encrypted one, or `plaintext`. */
export type BackupAccess = { readonly identities: readonly string[] } | 'plaintext';

/** The lines of a backup, after its header. */
export interface OpenedBackup extends AsyncDisposable {
  readonly header: BackupHeader;
  /** The next line as an entry, with the digest of all previous lines (SHA-256, hexadecimal). */
  readonly nextEntry: () => Promise<{ readonly entry: BackupEntry; readonly before: string }>;
  /** The next line unparsed: a row. */
  readonly nextRow: () => Promise<Buffer>;
  /**
   * Resolves at the end of the file. Encrypted data is authenticated completely only at its end.
   */
  readonly end: () => Promise<void>;
}

/**
 * @throws StartError if the file cannot be read, or if it is plaintext or encrypted unexpectedly
 * @throws DamagedBackup if it cannot be decoded
 */
export async function openBackup(file: string, access: BackupAccess): Promise<OpenedBackup> {
  const lines = readLines(await openUnzipped(file, access));
  const hash = createHash('sha256');
  const next = async (): Promise<Buffer> => {
    const { value, done } = await lines.next().catch((error: unknown) => {
      throw new DamagedBackup('is truncated or damaged', { cause: error });
    });
    if (done) throw new DamagedBackup('is truncated or damaged');
    return value;
  };
  const hashed = async (): Promise<Buffer> => {
    const line = await next();
    hash.update(line).update('\n');
    return line;
  };
  const header = backupHeaderSchema.safeParse(parseJson(await hashed()));
  if (!header.success) throw new StartError(`${file} is not a backup of Device Portal.`);
  return {
    header: header.data,
    nextRow: hashed,
    async nextEntry() {
      const before = hash.copy().digest('hex');
      const entry = backupEntrySchema.safeParse(parseJson(await hashed()));
      if (!entry.success) throw new DamagedBackup('is truncated or damaged');
      return { entry: entry.data, before };
    },
    async end() {
      const { done } = await lines.next().catch((error: unknown) => {
        throw new DamagedBackup('is truncated or damaged', { cause: error });
      });
      if (!done) throw new DamagedBackup('has data after its end');
    },
    async [Symbol.asyncDispose]() {
      await lines.return(undefined);
    },
  };
}

async function openUnzipped(file: string, access: BackupAccess): Promise<Readable> {
  const opened = await open(file).catch((error: unknown) => {
    throw new StartError(`Cannot read ${file}.`, { cause: error });
  });
  const beginning = Buffer.alloc(AGE_MAGIC.length);
  await opened.read(beginning, 0, beginning.length, 0);
  const isEncrypted = beginning.equals(AGE_MAGIC);
  if (isEncrypted !== (access !== 'plaintext')) {
    await opened.close();
    throw new StartError(
      isEncrypted
        ? `${file} is encrypted. Set its identity file with --identity.`
        : `${file} is not encrypted. If you trust where it was stored, use --plaintext to restore it.`,
    );
  }
  const source = opened.createReadStream({ start: 0 });
  const zipped = access === 'plaintext' ? source : await decryptWith(access.identities, source);
  const unzipped = createGunzip();
  // An error of either stream ends both and is thrown to the reader of the lines.
  pipeline(zipped, unzipped, () => {});
  return unzipped;
}

function parseJson(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    return undefined;
  }
}
