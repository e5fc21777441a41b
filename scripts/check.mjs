import { join } from 'node:path';
import { isAdded } from './optional-packages.mjs';
import { findNode, root } from './paths.mjs';
import { secondsSince } from './run-command.mjs';
import { runSteps } from './steps.mjs';

/** All static checks. */
const program = findNode();
const bin = (name) => join(root, 'node_modules', '.bin', name);
const steps = [
  { name: 'types', program: bin('tsc'), args: ['-p', 'tsconfig.json'] },
  { name: 'types of the browser tests', program: bin('tsc'), args: ['-p', 'e2e/tsconfig.json'] },
  { name: 'types of the portal', program: bin('tsc'), args: ['-p', 'apps/portal/tsconfig.json'] },
  {
    name: 'types of the identity client',
    program: bin('tsc'),
    args: ['-p', 'packages/identity-client/tsconfig.json'],
  },
  {
    name: 'types of the provider tests',
    program: bin('tsc'),
    args: ['-p', 'packages/identity/tests/provider/tsconfig.json'],
  },
  // Its clients have the types.
  ...(isAdded('aws')
    ? [{ name: 'types of the adapters to AWS', program: bin('tsc'), args: ['-p', 'packages/aws'] }]
    : []),
  ...(isAdded('telemetry')
    ? [{ name: 'types of the telemetry', program: bin('tsc'), args: ['-p', 'packages/telemetry'] }]
    : []),
  ...(isAdded('infra')
    ? [{ name: 'types of the stacks for AWS', program: bin('tsc'), args: ['-p', 'infra'] }]
    : []),
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
