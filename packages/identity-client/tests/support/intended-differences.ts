import listed from '../../differences.json' with { type: 'json' };

interface Difference {
  /** Ids of cases; a trailing `*` is a wildcard. */
  readonly cases: readonly string[];
  /** Aspects that differ. */
  readonly aspects: readonly string[];
  readonly reason: string;
}

const differences: readonly Difference[] = listed;

/** Aspects in which a case is expected to differ. */
export function intendedAspects(id: string): readonly string[] {
  return differences
    .filter(({ cases }) => cases.some((pattern) => fits(pattern, id)))
    .flatMap(({ aspects }) => aspects)
    .toSorted();
}

/** Patterns that match no case. */
export function leftoverPatterns(ids: readonly string[]): readonly string[] {
  return differences
    .flatMap(({ cases }) => cases)
    .filter((pattern) => !ids.some((id) => fits(pattern, id)));
}

function fits(pattern: string, id: string): boolean {
  return pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : pattern === id;
}
