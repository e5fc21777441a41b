import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresAccount } from './postgres-account.ts';

/** `sun_path` has 104 bytes on macOS and 108 on Linux; the socket's file name takes about 20. */
const SOCKET_DIR_LIMIT_BYTES = 80;

export interface SocketPlace {
  readonly dataDir: string;
  readonly account: PostgresAccount;
}

/**
 * Creates a socket folder that only the account can access, because all clients of the socket are
 * trusted.
 *
 * @param earlier the folder that clients already use
 */
export async function makeSocketDir(place: SocketPlace, earlier?: string): Promise<string> {
  if (earlier !== undefined) {
    await rm(earlier, { recursive: true, force: true });
    await makePrivateDir(earlier, place.account);
    return earlier;
  }
  const inside = join(place.dataDir, 'postgres-socket');
  if (Buffer.byteLength(inside) > SOCKET_DIR_LIMIT_BYTES) {
    const path = await mkdtemp(join(tmpdir(), 'deviceportal-'));
    await own(path, place.account);
    return path;
  }
  await rm(inside, { recursive: true, force: true });
  await makePrivateDir(inside, place.account);
  return inside;
}

export async function makePrivateDir(path: string, account: PostgresAccount): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await own(path, account);
}

async function own(path: string, account: PostgresAccount): Promise<void> {
  await chmod(path, 0o700);
  if (account.uid !== undefined) await chown(path, account.uid, account.gid ?? account.uid);
}

export async function removeSocketDir(path: string): Promise<void> {
  if (/(^|\/)(deviceportal-[^/]+|postgres-socket)$/.test(path)) {
    await rm(path, { recursive: true, force: true });
  }
}

export function urlOf(socketDir: string, database: string, role = 'postgres'): string {
  return `postgresql://${role}@localhost/${database}?host=${encodeURIComponent(socketDir)}`;
}
