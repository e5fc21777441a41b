import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database } from '../platform/database/database.ts';
import type { InstallationSecrets } from '../platform/installation-secrets.ts';
import type { Logger } from '../platform/logging.ts';
import { repeat } from '../platform/process/repeat.ts';
import { forgetServer, recordServer } from './data/installation-queries.ts';
import { secretFingerprints } from './secret-fingerprints.ts';

/** Delay until a server loads secrets that another process has rotated. */
const REFRESH_EVERY_MS = 2_000;
/** Interval at which a server refreshes its entry while nothing changes. */
const HEARTBEAT_INTERVAL_MS = 10_000;

export interface AnnounceServerDeps {
  readonly database: Pick<Database, 'orm'>;
  readonly secrets: InstallationSecrets;
  readonly logger: Logger;
  /** Called after secrets were reloaded. */
  readonly onRefreshed: () => Promise<void>;
}

/**
 * Reloads the secrets periodically, so that a rotation needs no restart, and records their fingerprints in the
 * database.
 */
export async function announceServer(deps: AnnounceServerDeps): Promise<AsyncDisposable> {
  const { database, secrets, logger, onRefreshed } = deps;
  const id = randomUUID();
  const name = `${hostname()}:${process.pid}`;
  let recorded = '';
  let recordedAt = Number.NEGATIVE_INFINITY;
  const say = async (): Promise<void> => {
    const present = await secretFingerprints(secrets);
    const text = JSON.stringify(present);
    if (text === recorded && performance.now() - recordedAt < HEARTBEAT_INTERVAL_MS) return;
    await recordServer(database.orm, { id, name, secrets: present });
    recorded = text;
    recordedAt = performance.now();
  };
  await say();
  const round = repeat(
    async () => {
      await secrets.refresh();
      await onRefreshed();
      await say();
    },
    {
      everyMs: REFRESH_EVERY_MS,
      onError: (error) => logger.warn({ err: error }, 'reading installation secrets failed'),
    },
  );
  return {
    async [Symbol.asyncDispose]() {
      await round[Symbol.asyncDispose]();
      await forgetServer(database.orm, id).catch(() => {});
    },
  };
}
