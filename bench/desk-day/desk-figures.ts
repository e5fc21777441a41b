import { percentile } from '../support/portal-process.ts';

/** What the calls of all users took, in one or several rounds. */
export interface DeskFigures {
  /** Later calls belong to another round. */
  startRound(): void;
  note(path: string, ms: number): void;
  fail(path: string, reason: string): void;
  /** A call that the server did not start, and that was repeated. */
  repeat(): void;
  /**
   * Prints a line for each procedure, the slowest first, and returns the highest p99 and the number of failures. The p99
   * of a procedure is the median of those of the rounds.
   */
  print(limitMs: number): { readonly worstMs: number; readonly failures: number };
}

const MOST_REASONS = 5;
const LONGEST_REASON = 300;

export function openDeskFigures(): DeskFigures {
  const rounds: Map<string, number[]>[] = [new Map()];
  const failures: string[] = [];
  let repeats = 0;
  return {
    startRound: () => void rounds.push(new Map()),
    note(path, ms) {
      const times = rounds.at(-1) ?? new Map<string, number[]>();
      const known = times.get(path);
      if (known) known.push(ms);
      else times.set(path, [ms]);
    },
    fail: (path, reason) => void failures.push(`${path}: ${reason.slice(0, LONGEST_REASON)}`),
    repeat: () => void (repeats += 1),
    print(limitMs) {
      const paths = new Set(rounds.flatMap((times) => [...times.keys()]));
      const rows = [...paths].map((path) => summarize(path, rounds));
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

function summarize(path: string, rounds: readonly ReadonlyMap<string, readonly number[]>[]) {
  const inRounds = rounds.flatMap((times) => {
    const ms = times.get(path);
    return ms === undefined ? [] : [ms];
  });
  const all = inRounds.flat();
  return {
    ...{ path, calls: all.length, p50: percentile(all, 0.5), most: Math.max(...all) },
    p99: percentile(
      inRounds.map((ms) => percentile(ms, 0.99)),
      0.5,
    ),
  };
}
