import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database } from '../platform/database/database.ts';
import type { InstallationSecrets } from '../platform/installation-secrets.ts';
import type { Logger } from '../platform/logging.ts';
import { repeat } from '../platform/process/repeat.ts';
import { forgetServer, recordServer } from './data/installation-queries.ts';
import { secretFingerprints } from './secret-fingerprints.ts';

/** How soon a server has what another process has rotated. */
const REFRESH_EVERY_MS = 2_000;
/** How often a server says that it lives while nothing changes. */
const SAY_EVERY_MS = 10_000;

export interface AnnounceServerDeps {
  readonly database: Pick<Database, 'orm'>;
  readonly secrets: InstallationSecrets;
  readonly logger: Logger;
  /** Told when secrets were read anew. */
  readonly onRefreshed: () => Promise<void>;
}

/** Reads the secrets again and again, so that a rotation needs no restart, and says in the database which there are. */
export async function announceServer(deps: AnnounceServerDeps): Promise<AsyncDisposable> {
  const { database, secrets, logger, onRefreshed } = deps;
  const id = randomUUID();
  const name = `${hostname()}:${process.pid}`;
  let said = '';
  let saidAt = Number.NEGATIVE_INFINITY;
  const say = async (): Promise<void> => {
    const present = await secretFingerprints(secrets);
    const text = JSON.stringify(present);
    if (text === said && performance.now() - saidAt < SAY_EVERY_MS) return;
    await recordServer(database.orm, { id, name, secrets: present });
    said = text;
    saidAt = performance.now();
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
