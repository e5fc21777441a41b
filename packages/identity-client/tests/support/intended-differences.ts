import listed from '../../differences.json' with { type: 'json' };

interface Difference {
  /** Ids of cases; `*` stands for any end. */
  readonly cases: readonly string[];
  /** What differs. */
  readonly aspects: readonly string[];
  readonly reason: string;
}

const differences: readonly Difference[] = listed;

/** What a case is meant to differ in. */
export function intendedAspects(id: string): readonly string[] {
  return differences
    .filter(({ cases }) => cases.some((pattern) => fits(pattern, id)))
    .flatMap(({ aspects }) => aspects)
    .toSorted();
}

/** Patterns that no case has: leftovers. */
export function leftoverPatterns(ids: readonly string[]): readonly string[] {
  return differences
    .flatMap(({ cases }) => cases)
    .filter((pattern) => !ids.some((id) => fits(pattern, id)));
}

function fits(pattern: string, id: string): boolean {
  return pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : pattern === id;
}
