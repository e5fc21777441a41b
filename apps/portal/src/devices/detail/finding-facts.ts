import type { FindingDeviceHistory } from '@deviceportal/contract/device-history';

/** The kind of row that shows a problem, then or now. */
export const PROBLEM = 'problem';

/** One row for each problem, also if it occurred repeatedly. */
export function findingFactsOf(findings: readonly FindingDeviceHistory[]) {
  return [...Map.groupBy(findings, ({ rule }) => rule)].map(([rule, own]) => {
    const isThen = own.some(({ earlier }) => earlier);
    const isNow = own.some(({ now }) => now);
    const moments = own.map(
      ({ earlier, openedAt, closedAt }) => closedAt ?? (earlier ? null : openedAt),
    );
    return {
      fact: PROBLEM,
      name: rule,
      earlier: isThen ? rule : null,
      now: isNow ? rule : null,
      isKnown: true,
      differs: isThen !== isNow,
      changedAt: moments.toSorted().at(-1) ?? null,
      changedBy: null,
    } as const;
  });
}
