import type { Executor } from '../../platform/database/database.ts';
import { ensureAnchorProgress } from '../data/anchors/anchor-progress-queries.ts';
import { positionOf, type AnchorTarget } from './anchor-target.ts';

/** Adds the progress of a destination that is not known yet. */
export async function beginAnchor(executor: Executor, target: AnchorTarget): Promise<void> {
  const last = await target.findLast?.().catch(() => undefined);
  await ensureAnchorProgress(executor, positionOf(target), last);
}
