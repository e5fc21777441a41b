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

/** How a backup is opened: with who may read it, or as one that everybody can. */
export type BackupAccess = { readonly identities: readonly string[] } | 'plaintext';

/** The lines of a backup, after its header. */
export interface OpenedBackup extends AsyncDisposable {
  readonly header: BackupHeader;
  /** The next line as an entry, with the digest of all lines before it (SHA-256, hexadecimal). */
  readonly nextEntry: () => Promise<{ readonly entry: BackupEntry; readonly before: string }>;
  /** The next line as it is: a row. */
  readonly nextRow: () => Promise<Buffer>;
  /** Resolves when nothing follows: what is encrypted is known to be whole at its very end only. */
  readonly end: () => Promise<void>;
}

/**
 * @throws StartError when there is no such file, or it is plaintext and should not be, or the other way round
 * @throws DamagedBackup when it cannot be read
 */
export async function openBackup(file: string, access: BackupAccess): Promise<OpenedBackup> {
  const lines = readLines(await openUnzipped(file, access));
  const hash = createHash('sha256');
  const next = async (): Promise<Buffer> => {
    const { value, done } = await lines.next().catch((error: unknown) => {
      throw new DamagedBackup('is cut off or damaged', { cause: error });
    });
    if (done) throw new DamagedBackup('is cut off or damaged');
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
      if (!entry.success) throw new DamagedBackup('is cut off or damaged');
      return { entry: entry.data, before };
    },
    async end() {
      const { done } = await lines.next().catch((error: unknown) => {
        throw new DamagedBackup('is cut off or damaged', { cause: error });
      });
      if (!done) throw new DamagedBackup('goes on after its end');
    },
    async [Symbol.asyncDispose]() {
      await lines.return(undefined);
    },
  };
}

async function openUnzipped(file: string, access: BackupAccess): Promise<Readable> {
  const opened = await open(file).catch((error: unknown) => {
    throw new StartError(`There is no file ${file} that can be read.`, { cause: error });
  });
  const beginning = Buffer.alloc(AGE_MAGIC.length);
  await opened.read(beginning, 0, beginning.length, 0);
  const isEncrypted = beginning.equals(AGE_MAGIC);
  if (isEncrypted !== (access !== 'plaintext')) {
    await opened.close();
    throw new StartError(
      isEncrypted
        ? `${file} is encrypted: name the file of its identity with --identity.`
        : `${file} is not encrypted. If you trust where it was kept, restore it with --plaintext.`,
    );
  }
  const source = opened.createReadStream({ start: 0 });
  const zipped = access === 'plaintext' ? source : await decryptWith(access.identities, source);
  const unzipped = createGunzip();
  // A failure of either stream ends both, and is thrown where the lines are read.
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
