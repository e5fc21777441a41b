import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { wordsOf } from '../text/match-score.ts';
import { likeLiteral } from './like-literal.ts';
import { onceGiven } from './once-given.ts';

/** Search texts as parameters of a prepared statement: in lower case, and the patterns of the words of each. */
export const wantedParams = (texts: readonly string[]) => ({
  texts: texts.map((text) => text.toLowerCase()),
  patterns: texts.map((text) =>
    wordsOf(text)
      .map((word) => `%${likeLiteral(word)}%`)
      .join(' '),
  ),
});

/** The texts as rows for `from`, so that one statement compares all texts of a search with a small table. */
export const wantedTexts = sql`unnest(${onceGiven('texts', 'text[]')}, ${onceGiven('patterns', 'text[]')})
  with ordinality as wanted(text, patterns, position)`;

export const wantedText = sql<string>`wanted.text`;

/** From 1. */
export const wantedPosition = sql<number>`wanted.position::int`;

/** Whether a text in lower case contains each word of a wanted text. */
export const containsWanted = (text: SQLWrapper): SQL =>
  sql`${text} like all (string_to_array(wanted.patterns, ' '))`;

/** The rows of each of some texts, in their order. */
export const rowsOfEach = <Row extends { readonly position: number }>(
  texts: readonly string[],
  rows: readonly Row[],
): Row[][] => texts.map((_, at) => rows.filter(({ position }) => position === at + 1));

/**
 * The same for rows of which a viewer sees only some, at most `limit` for each text. Usually nothing contains the words,
 * so that visibility is checked by a statement of its own.
 *
 * @param visibleOf those of some IDs that are visible
 */
export async function visibleRowsOfEach<
  Row extends { readonly position: number; readonly id: string },
>(
  texts: readonly string[],
  rows: readonly Row[],
  {
    visibleOf,
    limit,
  }: {
    readonly visibleOf: (ids: readonly string[]) => Promise<readonly { readonly id: string }[]>;
    readonly limit: number;
  },
): Promise<Row[][]> {
  if (rows.length === 0) return texts.map(() => []);
  const found = await visibleOf([...new Set(rows.map(({ id }) => id))]);
  const visible = new Set(found.map(({ id }) => id));
  const seen = rows.filter(({ id }) => visible.has(id));
  return rowsOfEach(texts, seen).map((each) => each.slice(0, limit));
}
