const ROUNDS = 20_000;
const ENOUGH = 1e-10;

/**
 * Least squares without negative solutions, by coordinate descent: each unknown in turn is set to its best value while
 * the others stay. For the few unknowns here, no library is needed.
 */
export function solveNonNegative(
  rows: readonly (readonly number[])[],
  wanted: readonly number[],
): number[] {
  const columns = rows[0]?.length ?? 0;
  // Each column is scaled to length 1, so that all unknowns move equally fast.
  const lengths = Array.from({ length: columns }, (_, column) =>
    Math.hypot(...rows.map((row) => row[column] ?? 0)),
  );
  const scaled = rows.map((row) => row.map((value, column) => value / (lengths[column] || 1)));
  const solution = Array.from({ length: columns }, () => 0);
  const rest = [...wanted];
  for (let round = 0; round < ROUNDS; round += 1) {
    let moved = 0;
    for (let column = 0; column < columns; column += 1) {
      if (lengths[column] === 0) continue;
      const gradient = scaled.reduce(
        (sum, row, at) => sum + (row[column] ?? 0) * (rest[at] ?? 0),
        0,
      );
      const next = Math.max(0, (solution[column] ?? 0) + gradient);
      const step = next - (solution[column] ?? 0);
      if (step === 0) continue;
      solution[column] = next;
      for (const [at, row] of scaled.entries())
        rest[at] = (rest[at] ?? 0) - step * (row[column] ?? 0);
      moved = Math.max(moved, Math.abs(step));
    }
    if (moved < ENOUGH) break;
  }
  return solution.map((value, column) => value / (lengths[column] || 1));
}
