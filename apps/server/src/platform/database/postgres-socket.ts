import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresAccount } from './postgres-account.ts';

/** `sun_path` holds 104 bytes on macOS, 108 on Linux; the socket's own name takes about 20. */
const SOCKET_DIR_LIMIT_BYTES = 80;

export interface SocketPlace {
  readonly dataDir: string;
  readonly account: PostgresAccount;
}

/**
 * A folder for the socket that only the account may enter: every client that reaches the socket is trusted.
 *
 * @param earlier where clients look for it already
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
