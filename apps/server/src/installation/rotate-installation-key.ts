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
  /** All data that is sealed with keys of the installation. */
  readonly sealed: readonly SealedStore[];
}

export interface RotateInstallationKeyOptions {
  /** False continues a rotation in progress and starts none. */
  readonly begin: boolean;
  /** Destroys the previous key immediately, which invalidates earlier links and open rollouts. */
  readonly now: boolean;
}

/** Links signed before the rotation stay valid for as long as the longest one. */
const LINK_MS = SIGNED_URL_MAX_SECONDS * 1_000;
/** Open rollouts that were planned before the rotation keep the previous key for at most this time. */
const ROLLOUT_MS = 30 * 86_400_000;
/** Data may be sealed with the previous key during a pass; after a few passes none is left. */
const MAX_PASSES = 10;

/**
 * Rotates the installation key: creates the next key, waits until every server has it, switches to it, reseals all
 * data, and destroys the previous key when it is no longer needed. Each step is idempotent: after a crash, a repeated
 * call continues.
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
  // Also repairs the record if a process was killed between writing the file and the database.
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

/** Repeats until a whole pass finds nothing sealed with another key. */
async function resealAll(sealed: readonly SealedStore[]): Promise<ResealCount> {
  let resealed = 0;
  for (let pass = 1; ; pass += 1) {
    const counts = [];
    for (const store of sealed) counts.push(await store.reseal());
    const found = counts.reduce((sum, count) => sum + count.resealed, 0);
    const unreadable = counts.reduce((sum, count) => sum + count.unreadable, 0);
    resealed += found;
    if (found === 0) return { resealed, unreadable };
    if (pass === MAX_PASSES) throw new Error('data is still being sealed with the previous key');
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

/** Time until which earlier links and open rollouts can carry signatures of the previous key. */
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
