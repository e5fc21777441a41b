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
/** So long devices have to learn a key before it signs; who is away longer learns it over the chain of endorsements. */
export const ANNOUNCED_DAYS = 14;
/** So long devices accept what the key before has signed: longer than any command waits. */
const ACCEPTED_DAYS = 35;

export interface RotationDeps {
  readonly database: Database;
  readonly secrets: Pick<InstallationSecrets, 'signingKeys'>;
  readonly clock: () => Date;
  /** After how many days a key is replaced; 0: only when an operator asks for it. */
  readonly maxAgeDays: number;
}

/** One round over the rings that devices pin; a rotation started by a command is continued, too. */
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
