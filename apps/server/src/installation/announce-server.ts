import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database } from '../platform/database/database.ts';
import type { InstallationSecrets } from '../platform/installation-secrets.ts';
import type { Logger } from '../platform/logging.ts';
import { repeat } from '../platform/process/repeat.ts';
import { forgetServer, recordServer } from './data/installation-queries.ts';
import { secretFingerprints } from './secret-fingerprints.ts';

/** Interval at which a server refreshes its entry. */
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
  let present = await secretFingerprints(secrets);
  const record = (): Promise<void> => recordServer(database.orm, { id, name, secrets: present });
  const onError = (error: unknown): void =>
    logger.warn({ err: error }, 'reading installation secrets failed');
  await record();
  // While the secrets cannot be read, this server counts as running with those it has.
  const heartbeat = repeat(record, { everyMs: HEARTBEAT_INTERVAL_MS, onError });
  const refresh = repeat(
    async () => {
      await secrets.refresh();
      await onRefreshed();
      const before = JSON.stringify(present);
      present = await secretFingerprints(secrets);
      if (JSON.stringify(present) !== before) await record();
    },
    { everyMs: secrets.store.refreshMs, onError },
  );
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all([heartbeat[Symbol.asyncDispose](), refresh[Symbol.asyncDispose]()]);
      await forgetServer(database.orm, id).catch(() => {});
    },
  };
}
