import { sql, type SQL } from 'drizzle-orm';
import { holds } from '@deviceportal/contract/permissions';
import { searchScores, type SearchHit } from '@deviceportal/contract/search';
import type { Database, Executor } from '../platform/database/database.ts';
import { estimateRows, sampleOf } from '../platform/database/estimate-rows.ts';
import { bestFirst, matchScore, wordsOf } from '../platform/text/match-score.ts';
import type { Viewer } from '../platform/viewer.ts';
import { personSightOf } from './person-sight.ts';

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const phoneShape = /^[+(]?[\d\s().-]{5,24}$/;
/** Trigrams need three characters. */
const SHORTEST_INDEXED = 3;
/** A text that more people have than this is not looked up: some of them are found among a few. */
const MOST_LOOKED_UP = 5_000;
const SCATTERED = 4_000;
const SHORTEST_OWN_NUMBER = 5;
const RANKED = 200;
/** Who sees some people only is shown those among more. */
const RANKED_WITHIN_SCOPE = 2_000;
const searched = sql`lower(name || ' ' || username || ' ' || coalesce(email, '') || ' ' || coalesce(phone, ''))`;

interface FoundRow extends Record<string, unknown> {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  readonly email: string | null;
  readonly phone: string | null;
}

/** People that a text may mean, by e-mail, phone, user name or name; only those whom the viewer sees by name. */
export async function findPersonHits(
  deps: { readonly database: Database },
  viewer: Viewer,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<SearchHit[]> {
  if (!holds(viewer.grants, 'people:read')) return [];
  const { named, namesAll } = personSightOf(viewer);
  const most = namesAll ? RANKED : RANKED_WITHIN_SCOPE;
  const on = deps.database.orm;
  const pieces = [
    ...exactWays(text).map((where) => sql`(select * from person where ${where} limit ${most})`),
    ...(await Promise.all(
      wordWays(text).map(async (where) => {
        const from = (await isCommon(on, where)) ? await sampleOf(on, 'person', SCATTERED) : sql``;
        return sql`(select * from person ${from} where ${where} limit ${most})`;
      }),
    )),
  ];
  const { rows } = await on.execute<FoundRow>(sql`
    select p.id, p.name, p.username, p.email, p.phone
    from (${sql.join(pieces, sql` union `)}) p where ${named} limit ${RANKED}`);
  return bestFirst(
    rows.map((row) => toHit(row, text)),
    limit,
  );
}

async function isCommon(on: Executor, where: SQL): Promise<boolean> {
  return (await estimateRows(on, sql`select from person where ${where}`)) > MOST_LOOKED_UP;
}

/** Each through an index of its own: "example" and "com" are in every trigram list. */
function exactWays(text: string): SQL[] {
  if (uuidShape.test(text)) return [sql`id = ${text}::uuid`];
  const beginsWith = sql`lower(email) like ${`${literal(text.toLowerCase())}%`}`;
  if (isEmail(text)) return [beginsWith];
  const ways = [beginsWith, ...beginsName(text), sql`username = ${text}`];
  return phoneShape.test(text) ? [...ways, byDialledPhone(text)] : ways;
}

/** Through the trigrams of everything that a person is called. */
function wordWays(text: string): SQL[] {
  if (uuidShape.test(text) || isEmail(text)) return [];
  const ways: SQL[] = phoneShape.test(text) ? byPhoneAtHome(text) : [];
  const words = wordsOf(text).filter((word) => word.length >= SHORTEST_INDEXED);
  if (words.length > 0) {
    const each = words.map((word) => sql`${searched} like ${`%${literal(word)}%`}`);
    ways.push(sql.join(each, sql` and `));
  }
  return ways;
}

/** As it was typed, and with a capital: two letters are too short for trigrams, and in Chinese they are a whole name. */
function beginsName(text: string): SQL[] {
  const capital = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  return [...new Set([text, capital])].map(
    (beginning) =>
      sql`(name >= ${beginning} and name < ${`${beginning}\u{10FFFF}`} and starts_with(name, ${beginning}))`,
  );
}

const isEmail = (text: string): boolean => /^[^\s@]+@/.test(text);

/** As it is kept, with the country's code. */
function byDialledPhone(text: string): SQL {
  const digits = text.replaceAll(/\D/g, '').replace(/^00/, '');
  return sql`phone like ${`+${digits}%`}`;
}

/** As people say it in its own country: with a 0 in front instead of the country's code. */
function byPhoneAtHome(text: string): SQL[] {
  const own = text.replaceAll(/\D/g, '').replace(/^0+/, '');
  return own.length >= SHORTEST_OWN_NUMBER ? [sql`${searched} like ${`%${own}%`}`] : [];
}

function toHit(row: FoundRow, text: string): SearchHit {
  const isPhone = phoneShape.test(text);
  const phone = isPhone ? `+${text.replaceAll(/\D/g, '')}` : text;
  const score =
    isPhone && row.phone === phone
      ? searchScores.exact
      : matchScore([row.name, row.email, row.username, row.phone, row.id], text);
  return {
    kind: 'person',
    id: row.id,
    label: row.name,
    detail: [row.email, row.phone].filter(Boolean).join(' · ') || row.username,
    score,
    state: null,
    at: null,
  };
}

function literal(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
}
