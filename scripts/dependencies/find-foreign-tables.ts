import type { SourceText } from './find-sql-clocks.ts';

/** An `sql` statement in the source. */
interface Statement {
  readonly line: number;
  readonly text: string;
}

export interface ForeignTable {
  readonly path: string;
  readonly line: number;
  /** The folder of the file. */
  readonly slice: string;
  readonly table: string;
  /** The folder that owns the table. */
  readonly owner: string;
}

/** The owner of each table: the folder whose `*-tables.ts` declares it. */
export function readTableOwners(sources: readonly SourceText[]): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const { path, text } of sources)
    if (path.endsWith('-tables.ts'))
      for (const [, table = ''] of text.matchAll(/pgTable\(\s*'([a-z_]+)'/g))
        owners.set(table, folderOf(path));
  return owners;
}

/** All places where SQL uses a table of another folder. */
export function findForeignTables(
  sources: readonly SourceText[],
  owners: ReadonlyMap<string, string>,
): ForeignTable[] {
  return sources.flatMap(({ path, text }) => {
    const slice = folderOf(path);
    return statementsOf(text).flatMap(({ line, text: statement }) =>
      tablesOf(statement).flatMap((table) => {
        const owner = owners.get(table);
        return owner === undefined || owner === slice ? [] : [{ path, line, slice, table, owner }];
      }),
    );
  });
}

/** The slice: the folder below `src`. */
const folderOf = (path: string): string => /\/src\/([^/]+)\//.exec(path)?.[1] ?? '';

const NAMED =
  /\b(?:into\s+(?:public\.)?([a-z_]+)|(?:from|join|update|using|truncate|copy)\s+(?:only\s+)?(?:public\.)?([a-z_]+)\b(?!\s*\())/gi;

/** Names in table positions, without names that the statement itself defines. */
function tablesOf(statement: string): string[] {
  const own = new Set(
    [...statement.matchAll(/\b([a-z_]+) as (?:not )?(?:materialized )?\(/gi)].map(
      ([, name]) => name,
    ),
  );
  const named = [...statement.matchAll(NAMED)].map(([, into, other]) => into ?? other ?? '');
  return [...new Set([...named, ...listedIn(statement)])].filter((name) => !own.has(name));
}

const LIST_BEGINS = /(?<!distinct\s+)\b(?:from|using)\s/gi;
const LIST_ENDS =
  /^(?:where|group|order|having|limit|offset|union|intersect|except|returning|window|for|set|select|values)\b/i;
const LISTED = /^,\s*(?:only\s+)?(?:public\.)?([a-z_]+)\b(?!\s*\()/i;

/** Names after the commas of `from` and `using`. */
function listedIn(statement: string): string[] {
  return [...statement.matchAll(LIST_BEGINS)].flatMap(({ index, 0: { length } }) => {
    const names: string[] = [];
    let depth = 0;
    for (let at = index + length; at < statement.length && depth >= 0; at += 1) {
      if (statement[at] === '(') depth += 1;
      else if (statement[at] === ')') depth -= 1;
      else if (depth > 0) continue;
      else if (statement[at] === ',') names.push(LISTED.exec(statement.slice(at))?.[1] ?? '');
      else if (statement[at - 1]?.trim() === '' && LIST_ENDS.test(statement.slice(at, at + 10)))
        break;
    }
    return names;
  });
}

/** The text of templates with the tag `sql`, without interpolated values. */
function statementsOf(source: string): Statement[] {
  const found: Statement[] = [];
  const tag = /\bsql(?:<[^`;]*?>)?`/g;
  for (let match = tag.exec(source); match !== null; match = tag.exec(source)) {
    const { text, end } = readTemplate(source, tag.lastIndex);
    found.push({ line: source.slice(0, match.index).split('\n').length, text });
    // Interpolated values can contain templates.
    tag.lastIndex = Math.min(end, tag.lastIndex + 1);
  }
  return found;
}

/** @param from the first character of the template */
function readTemplate(source: string, from: number): { text: string; end: number } {
  let text = '';
  for (let at = from; at < source.length; at += 1) {
    if (source[at] === '`') return { text, end: at + 1 };
    if (source.startsWith('${', at)) {
      at = endOfSubstitution(source, at + 2) - 1;
      text += ' ? ';
    } else text += source[at];
  }
  return { text, end: source.length };
}

function endOfSubstitution(source: string, from: number): number {
  let depth = 1;
  for (let at = from; at < source.length; at += 1) {
    if (source[at] === '`') at = readTemplate(source, at + 1).end - 1;
    else if (source[at] === '{') depth += 1;
    else if (source[at] === '}') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return source.length;
}
