/** Which direction is better. `null` for a count or name, which is only displayed. */
export type Direction = 'lower' | 'higher' | null;

export interface Figure {
  /** The line without its numbers, and the index of this number. */
  readonly name: string;
  readonly value: number;
  readonly direction: Direction;
}

/** What differs from run to run: the slowest case, and how many answers were partial. */
const REMARK = / +\(worst: .*$/;
const NUMBER = /(?<![\w.,])\d[\d,]*(?:\.\d+)?/g;
const LOWER = /^ ?(?:(?:ms|s|µs|us|[kKM]i?B|bytes)\b|\(at most )/;
const HIGHER = /^ ?(?:(?:\w+ ?)?(?:\/ ?s\b|a second\b)|\(at least )/;

/**
 * The figures in a benchmark's output, one for each number with a unit or limit that determines
 * which direction is better.
 */
export function readFigures(output: string): Figure[] {
  return output.split('\n').flatMap((text) => {
    const line = text.replace(REMARK, '');
    const name = line.replaceAll(NUMBER, '#').replaceAll(/\s+/g, ' ').trim();
    // Limits are the same in both builds.
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

/** Determined by the text after the number: its unit, or the limit of a ratio. */
function directionOf(rest: string): Direction {
  if (HIGHER.test(rest)) return 'higher';
  return LOWER.test(rest) ? 'lower' : null;
}

export interface Comparison {
  readonly name: string;
  readonly before: number;
  readonly after: number;
  /** Ratio of costs: above 1 is slower, in either direction of the figure. */
  readonly cost: number;
}

/** Medians of the rounds, for figures that both builds print. */
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
