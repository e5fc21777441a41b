import type { InstallationSecrets } from '../platform/installation-secrets.ts';
import type { Database } from '../platform/database/database.ts';
import {
  expireKeys,
  prepareKey,
  promoteKey,
  rotatedRings,
  type RingChange,
} from './change-ring.ts';

export const DAY_MS = 86_400_000;
/**
 * Time for devices to receive a key before it signs; devices offline for longer receive it with its chain of
 * endorsements.
 */
export const ANNOUNCED_DAYS = 14;
/** Time for which devices accept signatures of the previous key: longer than the delivery timeout of any command. */
const ACCEPTED_DAYS = 35;

export interface RotationDeps {
  readonly database: Database;
  readonly secrets: Pick<InstallationSecrets, 'signingKeys'>;
  readonly clock: () => Date;
  /** Days after which a key is rotated; 0: only at an operator's request. */
  readonly maxAgeDays: number;
}

/** One round over the key rings that devices pin; also continues a rotation that a command started. */
export async function rotateDueRings(deps: RotationDeps): Promise<void> {
  for (const name of rotatedRings) {
    const { database, secrets, clock } = deps;
    await rotateDue({ database, name, ring: secrets.signingKeys(name), now: clock() }, deps);
  }
}

async function rotateDue(
  change: RingChange,
  { maxAgeDays }: Pick<RotationDeps, 'maxAgeDays'>,
): Promise<void> {
  const { ring, now } = change;
  await ring.refresh();
  const daysAgo = (days: number): Date => new Date(now.getTime() - days * DAY_MS);
  await expireKeys(change, daysAgo(ACCEPTED_DAYS));
  if (ring.next !== undefined) {
    if (ring.next.since <= daysAgo(ANNOUNCED_DAYS)) await promoteKey(change);
    return;
  }
  const preparedAfter = Math.max(0, maxAgeDays - ANNOUNCED_DAYS);
  if (maxAgeDays > 0 && ring.current.since <= daysAgo(preparedAfter)) await prepareKey(change);
}
