/**
 * Divides rows so that each round has a key at most once, in the order of its rows: every one of them becomes history.
 *
 * @param limit of rows in a round
 */
export function roundsOf<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  limit = Number.POSITIVE_INFINITY,
): Row[][] {
  const counts = new Map<string, number>();
  const rounds: Row[][] = [];
  for (const row of rows) {
    const key = keyOf(row);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    (rounds[count] ??= []).push(row);
  }
  return rounds.flatMap((round) => {
    const parts: Row[][] = [];
    for (let from = 0; from < round.length; from += limit) {
      parts.push(round.slice(from, from + limit));
    }
    return parts;
  });
}
