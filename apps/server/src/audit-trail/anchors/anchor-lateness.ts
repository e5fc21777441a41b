import type { AuditAnchorState } from '@deviceportal/contract/audit-trail';
import type { Executor } from '../../platform/database/database.ts';
import { readAnchorStates, type AnchorState } from '../data/anchors/anchor-progress-queries.ts';
import { positionOf, type AnchorPlace } from './anchor-target.ts';

/** A block that waits longer than this, in addition to the interval of its destination, is late. */
const LATE_MS = 15 * 60_000;

export type CheckedAnchor = AuditAnchorState & Pick<AnchorState, 'error'>;

/** The progress of each destination, and whether it is late. */
export async function checkAnchors(
  executor: Executor,
  places: readonly AnchorPlace[],
  now: Date,
): Promise<CheckedAnchor[]> {
  if (places.length === 0) return [];
  const states = await readAnchorStates(executor, places.map(positionOf));
  return states.map((state) => {
    const everyMs = places.find(({ name }) => name === state.target)?.everyMs ?? 0;
    return { ...state, late: waitedMsOf(state, now) > everyMs + LATE_MS };
  });
}

export const waitedMsOf = (
  { waitingSince }: Pick<AnchorState, 'waitingSince'>,
  now: Date,
): number => (waitingSince === null ? 0 : Math.max(0, now.getTime() - Date.parse(waitingSince)));
