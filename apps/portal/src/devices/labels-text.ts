export interface LabelEntry {
  readonly key: string;
  readonly value: string;
}

const KEY = /^[a-zA-Z0-9][a-zA-Z0-9_./-]{0,62}$/;

export function labelEntries(labels: Readonly<Record<string, string>>): LabelEntry[] {
  return Object.entries(labels).map(([key, value]) => ({ key, value }));
}

/** Rows without a key and a value are incomplete and ignored. */
export function labelsOf(entries: readonly LabelEntry[]): Record<string, string> {
  return Object.fromEntries(
    entries
      .filter(({ key, value }) => key !== '' || value !== '')
      .map(({ key, value }) => [key.trim(), value.trim()]),
  );
}

export type LabelProblem = 'key' | 'duplicate' | null;

/** The problem of each row, in order. */
export function labelProblems(entries: readonly LabelEntry[]): LabelProblem[] {
  return entries.map(({ key, value }, index) => {
    if (key === '' && value === '') return null;
    if (!KEY.test(key.trim())) return 'key';
    return entries.findIndex((other) => other.key.trim() === key.trim()) < index
      ? 'duplicate'
      : null;
  });
}
