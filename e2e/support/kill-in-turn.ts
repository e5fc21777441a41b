import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../apps/server/tests/support/until.ts';
import { serverNames, type ServerName } from '../../deploy/tests/loopback.ts';
import type { ThreeServers } from '../../deploy/tests/three-servers.ts';

/** As `RestartSec` of the unit. */
const RESTART_MS = 5_000;
const BACK_LIMIT_MS = 120_000;
const ROLES = ['web', 'identity', 'gateway'] as const;

interface Killing {
  readonly kills: () => number;
  /** Resolves when all servers are ready again. Rejects if one did not become ready. */
  readonly end: () => Promise<void>;
}

/**
 * Kills one server after the other with SIGKILL, one in each interval, and starts it again as
 * systemd does. A server is killed only while the other two are ready, because each role is on two.
 */
export function killInTurn(servers: ThreeServers, everyMs: number): Killing {
  const stop = new AbortController();
  let kills = 0;
  const killOne = async (name: ServerName): Promise<void> => {
    const groups = await readGroups(servers);
    await servers.servers[name].end('SIGKILL');
    kills += 1;
    await sleep(RESTART_MS);
    servers.start(name);
    await servers.untilReady(name);
    await until(async () => (await readGroups(servers)) === groups, BACK_LIMIT_MS);
  };
  const run = async (): Promise<void> => {
    for (let turn = 0; ; turn += 1) {
      const interval = sleep(everyMs, true, { signal: stop.signal }).catch(() => false);
      const name = serverNames[turn % serverNames.length];
      if (name !== undefined) await killOne(name);
      if (!(await interval)) return;
    }
  };
  const running = run();
  // Reported by `end`.
  running.catch(() => {});
  return {
    kills: () => kills,
    end: () => {
      stop.abort();
      return running;
    },
  };
}

const readGroups = async (servers: ThreeServers): Promise<string> =>
  (await Promise.all(ROLES.map((role) => servers.readGroup(role)))).join(' ');
