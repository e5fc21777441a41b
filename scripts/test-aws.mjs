import { join } from 'node:path';
import { installDependencies } from './install-dependencies.mjs';
import { isAdded, keepAddedPackages } from './optional-packages.mjs';
import { findNode, root } from './paths.mjs';
import { runCommand } from './run-command.mjs';
import { findAwsTests } from './server-tests/find-aws-tests.mjs';

/**
 * Runs the tests that start a whole server once more, with files, secrets, parameters, tables, the
 * queue, and roles in AWS, as programs of this machine play it (.ci/parts/aws). Arguments select
 * files.
 */
await installDependencies();
await keepAddedPackages();
if (!isAdded('aws')) {
  process.stdout.write('Not run: tests on AWS require `npm run add -- aws` and `.ci/parts/aws`.\n');
  process.exit(process.env.CI ? 1 : 0);
}
const selected = process.argv.slice(2);
const files = findAwsTests().filter(
  (path) => selected.length === 0 || selected.some((part) => path.includes(part)),
);
const { code } = await runCommand(
  findNode(),
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'node', ...files],
  {
    env: {
      PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
      NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'),
      DEVICEPORTAL_TEST_AWS: 'true',
    },
  },
);
process.exitCode = code;
