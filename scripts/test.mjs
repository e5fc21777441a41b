import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAgent } from './build-agent.mjs';
import { buildChecker } from './build-checker.mjs';
import { buildPortal } from './build-portal.mjs';
import { readFailedTests, reportTo } from './failed-tests.mjs';
import { installDependencies } from './install-dependencies.mjs';
import { isAdded, keepAddedPackages, optionalPackages } from './optional-packages.mjs';
import { findNode, root } from './paths.mjs';
import { runCommand, secondsSince } from './run-command.mjs';

const isThorough = process.argv.includes('--thorough');
const LEFT_OUT =
  'Left to npm run test:thorough: the long walks (*.walk.test.ts, *.walk.e2e.ts), mutated inputs by the ten thousand, and the looks of a screen beyond a pairwise choice.';

/** Their amounts are smaller in `npm test`. */
const largeAmounts = [
  ...['/redaction-corpus', '/hold-the-server-by-', '/erase-in-batches', '/list-devices'],
  ...['/device-states', '/flood-the-trail', '/malformed-input'],
];

/** Vitest runs, in order. */
const serverTests = isThorough
  ? {
      walks: ['--project', 'walks', '--exclude', '**/simulation/**'],
      histories: ['--project', 'walks', 'tests/simulation'],
      fuzzing: ['--project', 'node', '/break-by-', '/break-the-', ...largeAmounts],
    }
  : { tests: ['--project', 'node'] };

/** Lanes of browser tests with similar durations, which run concurrently. */
const lanes = [isThorough ? ['shared-portal', 'own-portals'] : ['shared-portal'], ['looks']];

/**
 * Checks, tests on a real database, browser tests; `--thorough` also runs the slow ones. Later
 * steps run even if an earlier one fails.
 */
async function test() {
  await installDependencies();
  await keepAddedPackages();
  const node = findNode();
  const env = {
    PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
    // Hundreds of processes are started; they share the compile cache.
    NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'),
    DEVICEPORTAL_TEST_THOROUGH: String(isThorough),
  };
  const reports = await mkdtemp(join(tmpdir(), 'deviceportal-tests-'));
  const runTests = async (name, ...command) => {
    const report = join(reports, `${name}.json`);
    const { code } = await runCommand(node, [...command, ...reportTo(report)], { env });
    return { code, failures: await readFailedTests(report) };
  };
  const vitest = ['node_modules/vitest/vitest.mjs', 'run'];
  const browserTests = (project) =>
    timed(`browser tests, ${project}`, () => runTests(project, 'e2e/run.ts', '--project', project));
  const check = () => timed('checks', () => runCommand(node, ['scripts/check.mjs']));
  const results = [
    ...optionalPackagesResult(),
    ...(await inTurn(check, isThorough ? [] : ['checks'])),
    ...(await inTurn(
      ([name, choice]) => timed(name, () => runTests(name, ...vitest, ...choice)),
      Object.entries(serverTests),
    )),
    await timed('build', async () => {
      await buildPortal();
      await buildAgent();
      await buildChecker();
      return { code: 0 };
    }),
    ...(await Promise.all(lanes.map((names) => inTurn(browserTests, names)))).flat(),
  ];
  await rm(reports, { recursive: true });
  process.stdout.write('\n');
  for (const { name, passed, duration, failures } of results) {
    process.stdout.write(`${passed ? 'passed' : 'FAILED'}  ${name} (${duration})\n`);
    for (const failure of failures) process.stdout.write(`  ${failure}\n`);
  }
  if (!isThorough) process.stdout.write(`${LEFT_OUT}\n`);
  return results.every(({ passed }) => passed);
}

/** In CI, a missing package is a failure, because its tests would be skipped. */
function optionalPackagesResult() {
  const missing = optionalPackages.filter((name) => !isAdded(name));
  if (missing.length === 0) return [];
  const line = `not installed, tests left out: npm run add -- ${missing.join(' ')}`;
  if (!process.env.CI) {
    process.stdout.write(`Optional packages ${line}\n`);
    return [];
  }
  return [{ name: 'optional packages', passed: false, duration: '0 s', failures: [line] }];
}

async function inTurn(run, names) {
  const results = [];
  for (const name of names) results.push(await run(name));
  return results;
}

async function timed(name, work) {
  process.stdout.write(`\n== ${name}\n`);
  const startedAt = performance.now();
  const finish = (passed, failures = []) => ({
    name,
    passed,
    failures,
    duration: secondsSince(startedAt),
  });
  try {
    const { code, failures } = await work();
    return finish(code === 0, failures);
  } catch (error) {
    return finish(false, [error.message]);
  }
}

const startedAt = performance.now();
test().then(
  (passed) => {
    const line = passed ? 'Everything passed' : 'Some steps failed. See the list above';
    process.stdout.write(`${line} (${secondsSince(startedAt)}).\n`);
    process.exitCode = passed ? 0 : 1;
  },
  (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  },
);
