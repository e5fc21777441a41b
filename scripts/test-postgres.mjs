import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readImports } from './dependencies/read-imports.ts';
import { findNode, root } from './paths.mjs';
import { runCommand } from './run-command.mjs';
import { readSlowTests } from './read-slow-tests.mjs';
import { findAwsTests } from './server-tests/find-aws-tests.mjs';
import { findDatabaseTests } from './server-tests/find-database-tests.ts';

/** Limits of the process do not depend on the database. */
const LIMITS = '/attacks/exhaust/';

/**
 * Runs the tests that use a database on the PostgreSQL at `DEVICEPORTAL_TEST_DATABASE_URL`.
 * `--others` leaves out those that `npm run test:thorough` and `npm run test:aws` have run on it.
 */
if (process.env.DEVICEPORTAL_TEST_DATABASE_URL === undefined) {
  process.stderr.write(
    'Set DEVICEPORTAL_TEST_DATABASE_URL, for a user that can create databases.\n',
  );
  process.exit(1);
}
const leftOut = new Set(
  process.argv.includes('--others') ? [...readSlowTests().server, ...findAwsTests()] : [],
);
const files = findDatabaseTests(readImports(root), (path) =>
  readFileSync(join(root, path), 'utf8'),
).filter((path) => !path.endsWith('.walk.test.ts') && !path.includes(LIMITS) && !leftOut.has(path));
const { code } = await runCommand(
  findNode(),
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'node', ...files],
  {
    env: {
      PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
      NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'),
    },
  },
);
process.exitCode = code;
