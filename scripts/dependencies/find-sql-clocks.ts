export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/**
 * `portal_now()`, `portal_now(clock_timestamp())`, and `portal_now(statement_timestamp())` replace
 * these.
 */
const CLOCKS =
  /(?<![.\w#])(?:now\(\)|(?<!portal_now\()(?:clock|statement)_timestamp\(\)|(?:transaction_timestamp|timeofday)\(\)|(?:current_(?:timestamp|date|time)|localtime(?:stamp)?)\b|'(?:now|today)'::)/gi;

/** Number of the last migration before `portal_now`. */
const LAST_MIGRATION_BEFORE = 43;

/** One line for each place where SQL reads the time without `portal_now`. */
export function findSqlClocks(sources: readonly SourceText[]): string[] {
  return sources
    .filter(({ path }) => !(numberOf(path) <= LAST_MIGRATION_BEFORE))
    .flatMap(({ path, text }) =>
      [...text.matchAll(CLOCKS)].map(
        (match) =>
          `${path}:${text.slice(0, match.index).split('\n').length} has ${match[0]}: the time of SQL is portal_now()`,
      ),
    );
}

const numberOf = (path: string): number =>
  Number(/\/migrations\/(\d+)_[^/]*\.sql$/.exec(path)?.[1] ?? Number.NaN);
