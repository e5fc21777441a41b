import {
  countSets,
  countWatched,
  watchedDevices,
  type WatchedDevices,
} from '../devices/data/search/watched-devices.ts';
import type { Executor, Transaction } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { countsForRule, rowsOfRules, type RuleCondition } from './data/rule-rows.ts';
import type { TotalsOfSets } from './totals-of-sets.ts';

export interface Counts {
  readonly matching: number;
  readonly total: number;
}

/** Rules whose devices are found. */
export interface RuleToMeasure extends RuleCondition {
  readonly id: string;
  readonly watched: WatchedDevices;
  /** Equal for sets of the same devices. */
  readonly setKey: string;
}

/**
 * Counts the devices of many rules: in one pass for all conditions of a kind, over the devices that meet one of them,
 * and in one pass for the sizes of all sets that are not known.
 */
export async function measureRules(
  tx: Transaction,
  rules: readonly RuleToMeasure[],
  { now, totals }: { readonly now: Date; readonly totals: TotalsOfSets },
): Promise<ReadonlyMap<string, Counts>> {
  const matching = new Map<string, number>();
  for (const [, ofKind] of Map.groupBy(rules, ({ condition }) => condition.kind)) {
    const counted = await countMatching(tx, ofKind, now);
    for (const [index, { id }] of ofKind.entries()) matching.set(id, counted[index] ?? 0);
  }
  const sizes = await totals.of(tx, rules);
  return new Map(
    rules.map(({ id, setKey }) => {
      const matches = matching.get(id) ?? 0;
      // A size that was counted before the last devices joined the set.
      return [id, { matching: matches, total: Math.max(matches, sizes.get(setKey) ?? 0) }];
    }),
  );
}

const countMatching = (
  on: Executor,
  rules: readonly (RuleCondition & { readonly watched: WatchedDevices })[],
  now: Date,
): Promise<number[]> =>
  countSets(
    on,
    rowsOfRules(rules, now),
    rules.map((rule) => ({ watched: rule.watched, condition: countsForRule(rule, now) })),
  );

/** The counts of one rule, exactly as they are now. */
export async function measureRule(
  on: Executor,
  viewer: Viewer,
  {
    rule,
    now,
  }: {
    readonly rule: RuleCondition & {
      readonly filter: Parameters<typeof watchedDevices>[2]['filter'];
    };
    readonly now: Date;
  },
): Promise<{ readonly watched: WatchedDevices; readonly counts: Counts }> {
  const watched = await watchedDevices(on, viewer, { filter: rule.filter, now });
  const [matching = 0] = await countMatching(on, [{ ...rule, watched }], now);
  const [total = 0] = await countWatched(on, [watched]);
  return { watched, counts: { matching, total } };
}
