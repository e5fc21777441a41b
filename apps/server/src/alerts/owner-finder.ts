import type { Viewer } from '../platform/viewer.ts';
import type { EvaluateAlertsDeps } from './alerts-deps.ts';

/** For how long the permissions of an owner are used. */
const OWNER_MS = 5_000;

/** Finds owners of rules, each at most once within a few seconds. */
export function createOwnerFinder({
  findOwner,
  clock,
}: Pick<EvaluateAlertsDeps, 'findOwner' | 'clock'>): EvaluateAlertsDeps['findOwner'] {
  const known = new Map<string, { readonly untilMs: number; readonly owner: Viewer | undefined }>();
  return async (subject) => {
    const now = clock().getTime();
    for (const [key, { untilMs }] of known) if (untilMs <= now) known.delete(key);
    const kept = known.get(subject);
    if (kept !== undefined) return kept.owner;
    const owner = await findOwner(subject);
    known.set(subject, { untilMs: now + OWNER_MS, owner });
    return owner;
  };
}
