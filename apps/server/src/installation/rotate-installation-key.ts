import { SIGNED_URL_MAX_SECONDS } from '@deviceportal/contract/constants';
import { isRolloutOpenSince } from '../air-blast/data/is-rollout-open-since.ts';
import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import { INSTALLATION_KEY_FILE } from '../platform/secrets/installation-key-ring.ts';
import type { ResealCount, SealedStore } from '../platform/secrets/sealed-column.ts';
import { awaitServers, knows } from './await-servers.ts';
import { readRecordedSecrets } from './data/installation-queries.ts';
import { requireOwnSecrets } from './require-own-secrets.ts';
import type { RotationDeps, RotationOutcome } from './rotation-deps.ts';
import { fingerprintOfKey } from './secret-fingerprints.ts';

export interface InstallationKeyDeps extends RotationDeps {
  /** Everything that is sealed with keys of the installation. */
  readonly sealed: readonly SealedStore[];
}

export interface RotateInstallationKeyOptions {
  /** False goes on with a rotation that has begun, and begins none. */
  readonly begin: boolean;
  /** Destroys the key before at once: links and open rollouts of before are void then. */
  readonly now: boolean;
}

/** Links of before the rotation work as long as the longest one. */
const LINK_MS = SIGNED_URL_MAX_SECONDS * 1_000;
/** Open rollouts that were planned before the rotation keep the key before no longer. */
const ROLLOUT_MS = 30 * 86_400_000;
/** Something was sealed with the key before while a walk was under way; a few walks find nothing left. */
const MOST_WALKS = 10;

/**
 * Replaces the installation key: made, known to every server, in use, everything sealed anew, and the one before
 * destroyed when nothing needs it. Each part can be repeated: a killed process continues where it stopped.
 */
export async function rotateInstallationKey(
  deps: InstallationKeyDeps,
  { begin, now }: RotateInstallationKeyOptions,
): Promise<RotationOutcome> {
  const { installationKey: ring } = deps.secrets;
  await ring.refresh();
  if (ring.next === undefined && ring.earlier.length === 0) {
    if (!begin) return { kind: 'done', lines: [] };
    await ring.prepare();
  }
  if (ring.next !== undefined) {
    const next = fingerprintOfKey(ring.next);
    const servers = await awaitServers(deps, 'installation-key', knows(next));
    if (servers.length > 0) return waitsFor(deps, servers);
    await ring.promote();
  }
  // Also after a process that was killed between the file and the database.
  await requireOwnSecrets(deps);
  const current = fingerprintOfKey(ring.current);
  const behind = await awaitServers(
    deps,
    'installation-key',
    (secret) => secret.current === current,
  );
  if (behind.length > 0) return waitsFor(deps, behind);
  return destroyEarlier(deps, await resealAll(deps.sealed), now);
}

/** Until a whole walk finds nothing that another key has sealed. */
async function resealAll(sealed: readonly SealedStore[]): Promise<ResealCount> {
  let resealed = 0;
  for (let walk = 1; ; walk += 1) {
    const counts = [];
    for (const store of sealed) counts.push(await store.reseal());
    const found = counts.reduce((sum, count) => sum + count.resealed, 0);
    const unreadable = counts.reduce((sum, count) => sum + count.unreadable, 0);
    resealed += found;
    if (found === 0) return { resealed, unreadable };
    if (walk === MOST_WALKS) throw new Error('data is still being sealed with the previous key');
  }
}

async function destroyEarlier(
  deps: InstallationKeyDeps,
  { resealed, unreadable }: ResealCount,
  atOnce: boolean,
): Promise<RotationOutcome> {
  const { database, secrets, clock } = deps;
  const { installationKey: ring } = secrets;
  const lines = [
    `${resealed} sealed values were sealed again.`,
    ...(unreadable > 0 ? [`${unreadable} values could not be opened with any known key.`] : []),
  ];
  if (ring.earlier.length === 0) return { kind: 'done', lines };
  const until = await neededUntil(deps);
  if (!atOnce && until > clock()) return { kind: 'overlaps', until, lines };
  const fingerprints = ring.earlier.map(fingerprintOfKey);
  await inTransaction(database, (tx) =>
    recordAudit(tx, [
      {
        type: 'installation.secret-retired',
        actor: systemActor,
        data: { secret: 'installation-key', fingerprints },
      },
    ]),
  );
  await ring.destroyEarlier();
  return { kind: 'done', lines: [...lines, 'The previous key is destroyed.'] };
}

/** Until when links and open rollouts of before may come with what the key before has signed. */
async function neededUntil({ database }: InstallationKeyDeps): Promise<Date> {
  const recorded = await readRecordedSecrets(database.orm);
  const since = recorded.find(({ name }) => name === 'installation-key')?.since ?? new Date(0);
  const isOpen = await isRolloutOpenSince(database.orm, since);
  return new Date(since.getTime() + (isOpen ? ROLLOUT_MS : LINK_MS));
}

const waitsFor = (
  { secrets }: InstallationKeyDeps,
  servers: readonly string[],
): RotationOutcome => ({
  kind: 'waits',
  servers,
  file: secrets.store.placeOf(INSTALLATION_KEY_FILE),
});
