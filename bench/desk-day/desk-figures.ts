import { percentile } from '../support/portal-process.ts';

/** What the calls of all users took. */
export interface DeskFigures {
  note(path: string, ms: number): void;
  fail(path: string, reason: string): void;
  /** A call that the server did not start, and that was repeated. */
  repeat(): void;
  /** Prints a line for each procedure, the slowest first, and returns the highest p99 and the number of failures. */
  print(limitMs: number): { readonly worstMs: number; readonly failures: number };
}

const MOST_REASONS = 5;
const LONGEST_REASON = 300;

export function openDeskFigures(): DeskFigures {
  const times = new Map<string, number[]>();
  const failures: string[] = [];
  let repeats = 0;
  return {
    note(path, ms) {
      const known = times.get(path);
      if (known) known.push(ms);
      else times.set(path, [ms]);
    },
    fail: (path, reason) => void failures.push(`${path}: ${reason.slice(0, LONGEST_REASON)}`),
    repeat: () => void (repeats += 1),
    print(limitMs) {
      const rows = [...times].map(([path, ms]) => ({
        ...{ path, calls: ms.length, p50: percentile(ms, 0.5), p99: percentile(ms, 0.99) },
        most: Math.max(...ms),
      }));
      const number = (ms: number): string => ms.toFixed(1).padStart(8);
      console.log(`${'procedure'.padEnd(40)} calls      p50      p99      max  ratio`);
      for (const { path, calls, p50, p99, most } of rows.toSorted((a, b) => b.p99 - a.p99))
        console.log(
          `${path.padEnd(40)}${String(calls).padStart(6)}${[p50, p99, most].map(number).join(' ')}` +
            `  ${(p99 / limitMs).toFixed(2).padStart(5)}`,
        );
      const calls = rows.reduce((sum, row) => sum + row.calls, 0);
      console.log(
        `${calls} calls, ${repeats} repeated for lack of time, ${failures.length} failed`,
      );
      for (const reason of [...new Set(failures)].slice(0, MOST_REASONS))
        console.log(`  ${reason}`);
      return { worstMs: Math.max(...rows.map(({ p99 }) => p99)), failures: failures.length };
    },
  };
}
