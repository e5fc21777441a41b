import { hkdfSync, randomBytes } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError } from './start-error.ts';

const KEY_BYTES = 32;

/** The installation's own secret, outside the database, and the keys derived from it. */
export interface InstallationKey {
  /** 32 bytes for one purpose; the same purpose gives the same bytes. */
  derive(purpose: string): Uint8Array;
}

/** Reads the key below the data directory; the first start makes it, readable by its owner only. */
export async function readInstallationKey(dataDir: string): Promise<InstallationKey> {
  const file = join(dataDir, 'keys', 'installation.key');
  const secret = (await readKey(file)) ?? (await makeKey(file));
  return {
    derive: (purpose) => new Uint8Array(hkdfSync('sha256', secret, '', purpose, KEY_BYTES)),
  };
}

/**
 * The key is as good as every secret in the database that it seals.
 * @throws StartError when others than its owner and group may read it
 */
export async function requirePrivateKey(dataDir: string): Promise<void> {
  const file = join(dataDir, 'keys', 'installation.key');
  const found = await stat(file).catch(() => undefined);
  // Windows has no such bits.
  if (found === undefined || process.platform === 'win32' || (found.mode & 0o007) === 0) return;
  throw new StartError(
    `${file} can be read by everybody on this machine, which is refused with NODE_ENV=production: chmod 600 it.`,
  );
}

async function readKey(file: string): Promise<Buffer | undefined> {
  const secret = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (secret && secret.byteLength !== KEY_BYTES)
    throw new Error(`${file} is not an installation key: it must have ${KEY_BYTES} bytes`);
  return secret;
}

async function makeKey(file: string): Promise<Buffer> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      // Another server of the same installation was quicker: its key is the one.
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return readFile(file);
}
