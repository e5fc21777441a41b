import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findForeignTables, readTableOwners } from './dependencies/find-foreign-tables.ts';
import { findFullFolders } from './dependencies/find-full-folders.ts';
import { findSpacedFragments } from './dependencies/find-spaced-fragments.ts';
import { findSqlClocks } from './dependencies/find-sql-clocks.ts';
import { findViolations } from './dependencies/find-violations.ts';
import { ownedSlices, slicesWithDataFolder } from './dependencies/owned-slices.ts';
import { readImports } from './dependencies/read-imports.ts';
import { rules } from './dependencies/rules.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const imports = readImports(root);
const withSql = globSync('apps/server/{src/**/*.ts,migrations/*.sql}', { cwd: root })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
const sources = globSync('{apps,bench,e2e,packages,scripts}/**/*.{css,ts,tsx}', {
  cwd: root,
  exclude: (path) => /(^|\/)(dist|node_modules)$/.test(path),
});
const screens = sources
  .filter((path) => path.startsWith('apps/portal/') && path.endsWith('.tsx'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
const foreign = findForeignTables(withSql, readTableOwners(withSql));
const violations = [
  ...findViolations(imports, rules),
  ...findSqlClocks(withSql),
  ...findFullFolders(sources),
  ...findSpacedFragments(screens),
  ...foreign
    .filter(
      ({ slice, owner }) => slicesWithDataFolder.includes(slice) || ownedSlices.includes(owner),
    )
    .map(({ path, line, table, owner }) => `${path}:${line} uses ${table}, a table of ${owner}`),
];
for (const violation of violations) process.stdout.write(`${violation}\n`);
process.stdout.write(
  `${imports.length} imports, ${withSql.length} files with SQL, ${foreign.length} uses of foreign tables still allowed, ${violations.length} against the rules.\n`,
);
process.exitCode = violations.length === 0 ? 0 : 1;
