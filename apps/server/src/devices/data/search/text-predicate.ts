import { sql, type SQLWrapper } from 'drizzle-orm';
import { likeLiteral } from '../../../platform/database/like-literal.ts';
import {
  allOf,
  anyOf,
  fromDevice,
  idArrayParam,
  neverTrue,
  onDevice,
  source,
  type Branch,
  type Predicate,
} from './device-predicate.ts';
import { serialBeginsWith } from './facet-predicates.ts';
import { d, deviceEntry } from './search-rows.ts';

/** Look-ups for interpreting a search text. */
export interface TextLookups {
  /** False if owners cannot be searched by name, email, or phone. */
  readonly maySeePeople: boolean;
  readonly anySerialBeginsWith: (prefix: string) => Promise<boolean>;
  readonly peopleByEmail: (prefix: string) => Promise<string[]>;
  readonly peopleByPhone: (prefix: string) => Promise<string[]>;
}

/** Trigram indexes need three characters. Shorter words are only found by a walk. */
const SHORTEST_INDEXED = 3;
const serialShape = /^(?=.*\d)[A-Z0-9][A-Z0-9_-]{2,63}$/;
const phoneShape = /^\+[\d\s().-]{5,24}$/;

/**
 * Interprets the text of the search box by its format: an email address (or a prefix with the @) or `+49 …` matches the
 * devices of its owner; one word that is a prefix of a serial number matches those devices; otherwise every word must
 * occur in serial number, name, owner, model, or a label value.
 */
export async function textPredicate(text: string, lookups: TextLookups): Promise<Predicate | null> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  if (lookups.maySeePeople && phoneShape.test(text.trim())) {
    return ownedBy(await lookups.peopleByPhone(`+${text.replaceAll(/\D/g, '')}`));
  }
  const serial = text.trim().toUpperCase();
  if (serialShape.test(serial) && (await lookups.anySerialBeginsWith(serial))) {
    return serialBeginsWith(serial);
  }
  const parts = await Promise.all(words.map((word) => wordPredicate(word, lookups)));
  const plain = parts.filter((part) => typeof part === 'string');
  const others = parts.filter((part) => typeof part !== 'string');
  return allOf([...others, ...(plain.length > 0 ? [containsWords(plain, lookups)] : [])]);
}

async function wordPredicate(word: string, lookups: TextLookups): Promise<Predicate | string> {
  if (!lookups.maySeePeople || !word.includes('@') || word.startsWith('@')) return word;
  return ownedBy(await lookups.peopleByEmail(word));
}

function containsWords(words: readonly string[], lookups: TextLookups): Predicate {
  const patterns = words.map((word) => `%${likeLiteral(word)}%`);
  const like = (column: SQLWrapper) =>
    sql.join(
      patterns.map((pattern) => sql`${column} like ${pattern}`),
      sql` and `,
    );
  const indexed = words.some((word) => word.length >= SHORTEST_INDEXED)
    ? [
        source([devicesLike(patterns)], {
          patterns,
          exact: lookups.maySeePeople,
        }),
      ]
    : [];
  const found = onDevice(like(d.searchText), indexed);
  if (lookups.maySeePeople) return found;
  // The search text contains the owner's name, so the text without it must match as well.
  const withoutOwner = sql`lower(concat_ws(' ', ${d.serialNumber}, ${d.name}, ${d.model},
    (select string_agg(l.value, ' ') from jsonb_each_text(${d.labels}) l)))`;
  return { ...found, where: sql`${found.where} and ${like(withoutOwner)}` };
}

/**
 * Read from the trigram index only. The planner does not see the patterns: comparing them with the histogram of
 * `search_text` takes several times as long as the search, and a source is read only after its size has been estimated.
 * It expects thousands of devices then, so that without `offset 0` it would also read the index of a scope's country.
 */
function devicesLike(patterns: readonly string[]): Branch {
  const like = patterns.map(
    (pattern) => sql`${deviceEntry.searchText} like (select ${pattern}::text)`,
  );
  const { from, ...branch } = fromDevice(sql`true`);
  return {
    ...branch,
    from: sql`(select * from ${from} where ${sql.join(like, sql` and `)} offset 0) ${deviceEntry}`,
  };
}

/** Text in one column. Found by the search text, which contains that column, then checked. */
export function columnLike(
  column: 'serialNumber' | 'name' | 'model',
  values: readonly string[],
  anchored: boolean,
): Predicate {
  return anyOf(
    values.map((value) => {
      const literal = likeLiteral(value.toLowerCase());
      const anywhere = `%${literal}%`;
      const pattern = anchored ? `${literal}%` : anywhere;
      const indexed =
        value.length >= SHORTEST_INDEXED
          ? [
              source([devicesLike([anywhere])], {
                patterns: [anywhere],
                exact: false,
              }),
            ]
          : [];
      return onDevice(sql`lower(${d[column]}) like ${pattern}`, indexed);
    }),
  );
}

export function ownedBy(personIds: readonly string[]): Predicate {
  if (personIds.length === 0) return neverTrue;
  const ids = idArrayParam(personIds);
  return onDevice(sql`${d.ownerId} = any(${ids})`, [
    source([fromDevice(sql`${deviceEntry.ownerId} = any(${ids})`)], { few: true }),
  ]);
}
