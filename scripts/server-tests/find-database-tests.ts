import type { Import } from '../dependencies/read-imports.ts';

/** How a test, or a module of its support, gets the URL of the database server of the run. */
const ASKS_FOR_DATABASE = /\binject\('database(?:Url|Template)'\)/;

/**
 * Test files that use the database server of the run: those that ask for its URL, and those that
 * import a module that does, directly or through others. All other tests give the same result on
 * every PostgreSQL.
 */
export function findDatabaseTests(
  imports: readonly Import[],
  readText: (path: string) => string,
): readonly string[] {
  const importers = new Map<string, string[]>();
  for (const { from, to, typeOnly } of imports) {
    if (!typeOnly) importers.set(to, [...(importers.get(to) ?? []), from]);
  }
  const modules = new Set(imports.map(({ from }) => from));
  const found = new Set([...modules].filter((path) => ASKS_FOR_DATABASE.test(readText(path))));
  // A set can grow while it is iterated.
  for (const path of found) for (const importer of importers.get(path) ?? []) found.add(importer);
  return [...found].filter((path) => path.endsWith('.test.ts')).toSorted();
}
