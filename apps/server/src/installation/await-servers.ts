import { setTimeout as sleep } from 'node:timers/promises';
import type { SecretName } from '@deviceportal/contract/installation';
import { readServers } from './data/installation-queries.ts';
import type { RotationDeps } from './rotation-deps.ts';
import type { SecretFingerprints } from './secret-fingerprints.ts';

/** A server that has said nothing for so long does not live. */
export const SERVER_SILENT_SECONDS = 45;
const LOOK_EVERY_MS = 250;

/**
 * Waits until every server that lives has a secret.
 * @param has whether the fingerprints of a server say so
 * @returns names of those that do not, after the time
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
    await sleep(LOOK_EVERY_MS);
  }
}

export const knows =
  (fingerprint: string) =>
  ({ current, next, earlier }: SecretFingerprints): boolean =>
    [current, next, ...earlier].includes(fingerprint);
