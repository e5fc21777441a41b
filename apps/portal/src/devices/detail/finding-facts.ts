import type { FindingDeviceHistory } from '@deviceportal/contract/device-history';

/** A line of its own kind: a problem was there, or it is now. */
export const PROBLEM = 'problem';

/** A line for each problem; one that came, went and came again is one line. */
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
