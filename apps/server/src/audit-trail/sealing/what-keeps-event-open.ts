import type { Executor } from '../../platform/database/database.ts';
import { readAnchorStates } from '../data/anchors/anchor-progress-queries.ts';
import type { AnchorPlace } from '../anchors/anchor-target.ts';
import { findBlocksOf } from '../data/sealing/block-queries.ts';

/** Why an event is not sealed and anchored everywhere yet, for the operator; null if it is. */
export async function whatKeepsEventOpen(
  executor: Executor,
  event: string,
  anchors: readonly AnchorPlace[],
): Promise<string | null> {
  const [block] = await findBlocksOf(executor, [event]);
  if (block === undefined) return 'it is not sealed yet';
  const names = anchors.map(({ name }) => name);
  const states = await readAnchorStates(executor, names);
  const late = names.filter((name) => {
    const state = states.find(({ target }) => target === name);
    return state === undefined || state.delivered < block;
  });
  return late.length === 0 ? null : `it is not anchored yet (${late.join(', ')})`;
}
