import { spawnSync } from 'node:child_process';
import { chown, lstat, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { noPostgresHere } from './postgres-binaries.ts';

/** Under which account PostgreSQL runs: it refuses to run as root. */
export interface PostgresAccount {
  /** Put before the program and its arguments. */
  readonly prefix: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

const NOBODY = 65_534;
const INSIDE_NAMESPACE = ['unshare', '--user', '--map-user=1000', '--map-group=1000'] as const;

/**
 * Ordinary users run PostgreSQL as themselves. Root runs it as nobody; where nobody cannot reach one of the folders
 * (a clone in root's home), root runs it in a user namespace, in which root's files belong to user 1000.
 *
 * @param folders everything that PostgreSQL must be able to reach
 */
export async function choosePostgresAccount(folders: readonly string[]): Promise<PostgresAccount> {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const closed = await firstClosedFolder(folders);
  if (closed === undefined) return { prefix: [], uid: NOBODY, gid: NOBODY };
  const [program, ...options] = INSIDE_NAMESPACE;
  if (spawnSync(program, [...options, 'true'], { stdio: 'ignore' }).status === 0) {
    return { prefix: INSIDE_NAMESPACE };
  }
  throw noPostgresHere(
    `it does not run as root, other users cannot enter ${closed}, and user namespaces are not available`,
  );
}

async function firstClosedFolder(folders: readonly string[]): Promise<string | undefined> {
  const othersMayEnter = 0o001;
  for (const folder of folders) {
    for (let path = resolve(folder); ; path = dirname(path)) {
      const { mode } = await lstat(path);
      if ((mode & othersMayEnter) === 0) return path;
      if (path === dirname(path)) break;
    }
  }
  return undefined;
}

/** Hands a folder and everything in it to the account, when it belongs to someone else. */
export async function giveToAccount(path: string, account: PostgresAccount): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const uid = account.uid ?? 0;
  if ((await lstat(path)).uid === uid) return;
  for (const entry of await readdir(path, { recursive: true })) {
    await chown(join(path, entry), uid, account.gid ?? 0);
  }
  // The folder itself comes last: it is the mark that everything below has been handed over.
  await chown(path, uid, account.gid ?? 0);
}
