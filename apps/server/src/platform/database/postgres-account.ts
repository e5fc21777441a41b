import { spawnSync } from 'node:child_process';
import { chown, lstat, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { noPostgresHere } from './postgres-binaries.ts';

/** The account of PostgreSQL, which refuses to run as root. */
export interface PostgresAccount {
  /** Prefix of the command line. */
  readonly prefix: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

const NOBODY = 65_534;
const INSIDE_NAMESPACE = ['unshare', '--user', '--map-user=1000', '--map-group=1000'] as const;

/**
 * PostgreSQL runs as the current user. If that is root, it runs as `nobody`, or, if `nobody` cannot
 * access one of the folders (for example a clone in root's home), in a user namespace in which
 * root's files belong to user 1000.
 *
 * @param folders all folders that PostgreSQL must access
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
    `it does not run as root, other users cannot access ${closed}, and user namespaces are not available`,
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

/** Changes the owner of a folder and its content to the account. */
export async function giveToAccount(path: string, account: PostgresAccount): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const uid = account.uid ?? 0;
  if ((await lstat(path)).uid === uid) return;
  for (const entry of await readdir(path, { recursive: true })) {
    await chown(join(path, entry), uid, account.gid ?? 0);
  }
  // Last, because the owner of the folder marks that its content is done.
  await chown(path, uid, account.gid ?? 0);
}
