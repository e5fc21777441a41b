import { setTimeout as sleep } from 'node:timers/promises';
import type { SecretName } from '@deviceportal/contract/installation';
import { readServers } from './data/installation-queries.ts';
import type { RotationDeps } from './rotation-deps.ts';
import type { SecretFingerprints } from './secret-fingerprints.ts';

/** A server whose entry is older than this is considered stopped. */
export const SERVER_SILENT_SECONDS = 45;
const POLL_INTERVAL_MS = 250;

/**
 * Waits until every running server has a secret.
 * @param has whether the fingerprints of a server include it
 * @returns names of the servers without it when the time is up
 */
export async function awaitServers(
  { database, waitMs }: Pick<RotationDeps, 'database' | 'waitMs'>,
  name: SecretName,
  has: (secret: SecretFingerprints) => boolean,
): Promise<readonly string[]> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const servers = await readServers(database.orm, SERVER_SILENT_SECONDS);
    const without = servers.filter(({ secrets }) => {
      const secret = secrets.find((each) => each.name === name);
      return secret !== undefined && !has(secret);
    });
    if (without.length === 0 || performance.now() > deadline) {
      return without.map((server) => server.name);
    }
    await sleep(POLL_INTERVAL_MS);
  }
}

export const knows =
  (fingerprint: string) =>
  ({ current, next, earlier }: SecretFingerprints): boolean =>
    [current, next, ...earlier].includes(fingerprint);
