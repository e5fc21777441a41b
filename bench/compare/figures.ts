/** Which way is better. `null`: a count or a name, that is only shown. */
export type Direction = 'lower' | 'higher' | null;

export interface Figure {
  /** The line with its numbers left out, and which of its numbers this is. */
  readonly name: string;
  readonly value: number;
  readonly direction: Direction;
}

const NUMBER = /(?<![\w.,])\d[\d,]*(?:\.\d+)?/g;
const LOWER = /^ ?(?:(?:ms|s|µs|us|[kKM]i?B|bytes)\b|\(at most )/;
const HIGHER = /^ ?(?:(?:\w+ ?)?(?:\/ ?s\b|a second\b)|\(at least )/;

/** The figures of what a benchmark printed, one for each number whose unit or limit says which way is better. */
export function readFigures(output: string): Figure[] {
  return output.split('\n').flatMap((line) => {
    const name = line.replaceAll(NUMBER, '#').replaceAll(/\s+/g, ' ').trim();
    // A limit is the same in both builds.
    const measured = line.replace(/\((?:at most|at least|aim|limit)[^)]*\)|\bof \d.*$/, (limit) =>
      ' '.repeat(limit.length),
    );
    return [...measured.matchAll(NUMBER)].flatMap((match, index): Figure[] => {
      const direction = directionOf(line.slice(match.index + match[0].length));
      const value = Number(match[0].replaceAll(',', ''));
      return direction === null ? [] : [{ name: `${name} [${index + 1}]`, value, direction }];
    });
  });
}

/** Told by what follows the number: its unit, or the limit of a ratio. */
function directionOf(rest: string): Direction {
  if (HIGHER.test(rest)) return 'higher';
  return LOWER.test(rest) ? 'lower' : null;
}

export interface Comparison {
  readonly name: string;
  readonly before: number;
  readonly after: number;
  /** How many times the cost of before: above 1 is slower, whichever way the figure itself counts. */
  readonly cost: number;
}

/** Medians of the rounds, for the figures that both builds print. */
export function compareFigures(
  before: readonly (readonly Figure[])[],
  after: readonly (readonly Figure[])[],
): Comparison[] {
  const [earlier, later] = [byName(before), byName(after)];
  return [...earlier].flatMap(([name, { values, direction }]) => {
    const other = later.get(name);
    if (other === undefined) return [];
    const [one, two] = [median(values), median(other.values)];
    return [{ name, before: one, after: two, cost: direction === 'lower' ? two / one : one / two }];
  });
}

function byName(rounds: readonly (readonly Figure[])[]) {
  const found = new Map<string, { values: number[]; direction: Direction }>();
  for (const { name, value, direction } of rounds.flat()) {
    const entry = found.get(name) ?? { values: [], direction };
    entry.values.push(value);
    found.set(name, entry);
  }
  return found;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
