import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../paths.mjs';

/** The first uses other AWS credentials, and the second creates its own tables. */
const LEFT_OUT = ['database-by-iam.test.ts', 'data-sources-api.test.ts'];
const STARTS_SERVER = /\/(?:start-test-server|personal-data-fixture)\.ts'/;

/** Test files that start a whole server, which `npm run test:aws` runs with AWS. */
export const findAwsTests = () =>
  globSync('apps/server/tests/**/*.test.ts', { cwd: root })
    .filter((path) => !path.endsWith('.walk.test.ts') && !LEFT_OUT.includes(basename(path)))
    .filter((path) => STARTS_SERVER.test(readFileSync(join(root, path), 'utf8')));
