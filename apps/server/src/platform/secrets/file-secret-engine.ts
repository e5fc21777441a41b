import { randomUUID } from 'node:crypto';
import { link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError } from '../process/start-error.ts';
import type { SecretEngine } from './secret-engine.ts';

const REFRESH_MS = 2_000;

export interface FileSecretsOptions {
  /**
   * True to reject files that other accounts can read, instead of only fixing its own files'
   * permissions.
   */
  readonly strict?: boolean;
}

/** Secrets as files in the data folder: folders 0700, files 0600, each written atomically. */
export function createFileSecrets(
  dataDir: string,
  { strict = false }: FileSecretsOptions = {},
): SecretEngine {
  const placeOf = (name: string): string => join(dataDir, name);
  return {
    placeOf,
    remedy:
      'Copy the folders keys and certificates from a server of this installation, use its --data-dir, or set DEVICEPORTAL_SECRETS as on its other servers.',
    refreshMs: REFRESH_MS,
    async read(name) {
      const file = placeOf(name);
      if (strict) await requirePrivate(file);
      return readIfThere(file);
    },
    async create(name, secret) {
      const file = placeOf(name);
      const draft = await writeDraft(file, secret);
      try {
        // Unlike a rename, a link fails if another server has already created the file.
        await link(draft, file).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error;
        });
      } finally {
        await rm(draft, { force: true });
      }
      await flushFolder(dirname(file));
      const kept = await readIfThere(file);
      if (kept === undefined) throw new Error(`${file} was removed during its creation`);
      return kept;
    },
    async replace(name, secret) {
      const file = placeOf(name);
      await rename(await writeDraft(file, secret), file);
      await flushFolder(dirname(file));
    },
    async remove(name) {
      const file = placeOf(name);
      await rm(file, { force: true });
      await flushFolder(dirname(file));
    },
  };
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** @throws StartError if accounts other than the owner and its group can access the file */
async function requirePrivate(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  // Windows has no such permissions.
  if (found === undefined || process.platform === 'win32' || (found.mode & 0o027) === 0) return;
  throw new StartError(
    `${file} can be read or changed by other accounts of this machine, which is not allowed with NODE_ENV=production. Run chmod 600 on it.`,
  );
}

async function writeDraft(file: string, secret: Uint8Array): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}.new`;
  const opened = await open(draft, 'wx', 0o600);
  try {
    await opened.writeFile(secret);
    await opened.sync();
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await opened.close();
  }
  return draft;
}

/** Without this, a power failure can undo a rename of a file that is already on disk. */
async function flushFolder(folder: string): Promise<void> {
  // Windows cannot open folders.
  if (process.platform === 'win32') return;
  const opened = await open(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (opened === undefined) return;
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
