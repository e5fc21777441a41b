import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readImports } from '../dependencies/read-imports.ts';

export interface OwnedTable {
  readonly name: string;
  readonly slice: string;
  /** The first sentence of the comment on its declaration; empty without one. */
  readonly about: string;
}

export interface DataOwnership {
  readonly tables: readonly OwnedTable[];
  /** Pairs of a slice and the slice whose `data` exports it uses. */
  readonly uses: readonly (readonly [user: string, owner: string])[];
}

const SERVER = 'apps/server/src';
const DECLARATION =
  /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?export const \w+ = pgTable\(\s*'([a-z_]+)'/g;
/** Folders that compose or serve the slices, and have no data. */
const noSlices = new Set(['api', 'cli', 'compose', 'platform']);

/** Which slice owns which table, and which slices use its queries and fragments. */
export function readDataOwnership(root: string): DataOwnership {
  const files = readdirSync(join(root, SERVER), { recursive: true, encoding: 'utf8' });
  const tables = files
    .filter((file) => file.endsWith('-tables.ts'))
    .flatMap((file) => {
      const slice = file.split('/')[0] ?? '';
      const text = readFileSync(join(root, SERVER, file), 'utf8');
      return [...text.matchAll(DECLARATION)].map(([, comment = '', name = '']) => ({
        name,
        slice,
        about: firstSentence(comment),
      }));
    })
    .toSorted((one, other) => compare(one.slice, other.slice) || compare(one.name, other.name));
  const uses = new Set(
    readImports(root).flatMap(({ from, to }) => {
      const user = sliceOf(from);
      const [, owner] = /^apps\/server\/src\/([^/]+)\/data\//.exec(to) ?? [];
      const isUse = user !== owner && owner !== undefined && !from.endsWith('.test.ts');
      return isUse && user !== undefined && !noSlices.has(user) ? [`${user} ${owner}`] : [];
    }),
  );
  return {
    tables,
    uses: [...uses].toSorted(compare).map((each) => each.split(' ') as [string, string]),
  };
}

const sliceOf = (path: string): string | undefined =>
  /^apps\/server\/src\/([^/]+)\//.exec(path)?.[1];

function firstSentence(comment: string): string {
  const text = comment.replaceAll(/\s*\n\s*\* ?/g, ' ').trim();
  return (/^.*?[.:](?=\s|$)/.exec(text)?.[0] ?? text).replace(/:$/, '.');
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
