import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../src/platform/http/find-free-port.ts';
import { until } from './gateway-fixture.ts';
import { isListening } from './is-listening.ts';

// Debian does not install it in the path of ordinary users.
const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` };

export const hasPgBouncer = spawnSync('pgbouncer', ['--version'], { env }).error === undefined;

export interface PgBouncer extends AsyncDisposable {
  /** Of the same database, through the pooler. */
  readonly url: string;
}

/** A pooler in front of a database of the test server. */
export async function startPgBouncer(options: {
  readonly url: string;
  readonly mode: 'transaction' | 'session';
}): Promise<PgBouncer> {
  await using starting = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'dp-pooler-'));
  starting.defer(() => rm(folder, { recursive: true, force: true }));
  // As root, it runs under another user.
  await chmod(folder, 0o755);
  const port = await findFreePort('127.0.0.1');
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, configuration({ ...options, port }));
  const isRoot = process.getuid?.() === 0;
  const child = spawn('pgbouncer', [...(isRoot ? ['--user=nobody'] : []), file], {
    stdio: 'ignore',
    env,
  });
  starting.defer(async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  await until(() => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with code ${child.exitCode}`);
    return isListening(port);
  });
  const through = new URL(options.url);
  const owned = starting.move();
  return {
    url: `postgres://${through.username}@127.0.0.1:${port}${through.pathname}`,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function configuration({
  url,
  mode,
  port,
}: {
  readonly url: string;
  readonly mode: string;
  readonly port: number;
}): string {
  const { pathname, username, searchParams, hostname, port: serverPort } = new URL(url);
  const database = pathname.slice(1);
  const host = searchParams.get('host') ?? hostname;
  return [
    '[databases]',
    `${database} = host=${host} port=${serverPort || '5432'} user=${username} dbname=${database}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    'default_pool_size = 5',
    'ignore_startup_parameters = extra_float_digits',
    '',
  ].join('\n');
}
