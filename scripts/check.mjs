import { join } from 'node:path';
import { isAdded } from './optional-packages.mjs';
import { findNode, root } from './paths.mjs';
import { secondsSince } from './run-command.mjs';
import { runSteps } from './steps.mjs';

/** All static checks. */
const program = findNode();
const bin = (name) => join(root, 'node_modules', '.bin', name);
/**
 * Files that have not changed since the last check, nor anything that they import, are not checked again. With several
 * checkers, each would check the types that the others need, too, and two steps run at the same time.
 */
const types = (project) => ({
  program: bin('tsc'),
  args: [
    ...['-p', project, '--checkers', '1', '--incremental'],
    ...['--tsBuildInfoFile', join(root, '.cache', 'types', `${project.replaceAll('/', '-')}.json`)],
  ],
});
const steps = [
  { name: 'types', ...types('tsconfig.json') },
  { name: 'types of the browser tests', ...types('e2e/tsconfig.json') },
  { name: 'types of the portal', ...types('apps/portal/tsconfig.json') },
  { name: 'types of the identity client', ...types('packages/identity-client/tsconfig.json') },
  {
    name: 'types of the provider tests',
    ...types('packages/identity/tests/provider/tsconfig.json'),
  },
  // Its clients have the types.
  ...(isAdded('aws') ? [{ name: 'types of the adapters to AWS', ...types('packages/aws') }] : []),
  ...(isAdded('telemetry')
    ? [{ name: 'types of the telemetry', ...types('packages/telemetry') }]
    : []),
  ...(isAdded('infra') ? [{ name: 'types of the stacks for AWS', ...types('infra') }] : []),
  { name: 'lint', program: bin('oxlint'), args: ['--deny-warnings'] },
  { name: 'format', program: bin('oxfmt'), args: ['--check'] },
  { name: 'direction of dependencies', program, args: ['scripts/check-dependencies.ts'] },
  { name: 'duplicates', program: bin('jscpd'), args: [] },
  {
    name: 'unused code',
    program,
    args: ['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'],
  },
  {
    name: 'reference pages',
    program,
    args: ['scripts/generate-reference.ts', '--check'],
  },
];

const startedAt = performance.now();
const failed = await runSteps(steps, 2);
const result = failed.length === 0 ? 'All checks passed' : `Failed: ${failed.join(', ')}`;
process.stdout.write(`${result} (${secondsSince(startedAt)}).\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
