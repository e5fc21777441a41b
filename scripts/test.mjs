import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll } from './build-all.mjs';
import { readFailedTests, reportTo } from './failed-tests.mjs';
import { installDependencies } from './install-dependencies.mjs';
import { isAdded, keepAddedPackages, optionalPackages } from './optional-packages.mjs';
import { findNode, root } from './paths.mjs';
import { runCommand, secondsSince } from './run-command.mjs';
import { readSlowTests } from './read-slow-tests.mjs';

const isThorough = process.argv.includes('--thorough');
/** Of a thorough run. */
const parts = ['walks', 'slow tests', 'browser tests'];
/** All of them by default. */
const selected = process.argv.slice(2).filter((argument) => argument !== '--thorough');
const isSelected = (part) => selected.length === 0 || selected.includes(part);
const LEFT_OUT =
  'Left to npm run test:thorough: the walks (*.walk.test.ts, *.walk.e2e.ts), the tests of scripts/slow-tests.json, and all looks of a screen but one.';

const slowTests = readSlowTests();
/** `npm test` runs them, too, with smaller amounts. */
const largeAmounts = ['/redaction-corpus', '/list-devices', '/device-states'];

/** Vitest runs, in order. */
const serverTests = isThorough
  ? [
      { name: 'walks', project: 'walks' },
      { name: 'slow tests', project: 'node', files: [...slowTests.server, ...largeAmounts] },
    ].filter(({ name }) => isSelected(name))
  : [{ name: 'tests', project: 'node', leftOut: slowTests.server }];

const looks = { name: 'looks', project: 'looks' };

/** Lanes of browser tests with similar durations, which run concurrently. Four take as long as two on two cores. */
const browserLanes = isThorough
  ? [
      [{ name: 'own-portals', project: 'own-portals' }, looks],
      // Each on a portal of its own, because walks change many devices.
      [
        { name: 'slow tests', project: 'shared-portal', files: slowTests.browser },
        { name: 'walks', project: 'shared-portal', files: ['.walk.e2e.ts'] },
      ],
    ]
  : [[{ name: 'shared-portal', project: 'shared-portal', leftOut: slowTests.browser }], [looks]];
const lanes = isSelected('browser tests') ? browserLanes : [];

/**
 * Checks, tests on a real database, browser tests; `--thorough` runs what these leave out. Later
 * steps run even if an earlier one fails. `npm run test:thorough -- 'slow tests'` runs one part.
 * `DEVICEPORTAL_TEST_DATABASE_URL` does not apply to walks and browser tests, which use the embedded
 * database.
 */
async function test() {
  if (!selected.every((part) => isThorough && parts.includes(part)))
    throw new Error(`Usage: npm test | npm run test:thorough [-- ${parts.join(' | ')}]`);
  await installDependencies();
  await keepAddedPackages();
  const reports = await mkdtemp(join(tmpdir(), 'deviceportal-tests-'));
  const run = createRunner(reports);
  const results = [
    ...optionalPackagesResult(),
    ...(await inTurn(
      () => timed('checks', () => runCommand(findNode(), ['scripts/check.mjs'])),
      isThorough ? [] : ['checks'],
    )),
    await timed('build', async () => {
      await buildAll();
      return { code: 0 };
    }),
    ...(await inTurn(run.serverTests, serverTests)),
    ...(await Promise.all(lanes.map((lane) => inTurn(run.browserTests, lane)))).flat(),
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

/** @param {string} reports folder for the reports of Vitest */
function createRunner(reports) {
  const node = findNode();
  const runTests = async (title, command, { project, files = [], leftOut = [] }) => {
    const report = join(reports, `${title.replaceAll(/\W+/g, '-')}.json`);
    const env = {
      PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
      // Hundreds of processes are started; they share the compile cache.
      NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'),
      DEVICEPORTAL_TEST_BUILT: 'true',
      DEVICEPORTAL_TEST_THOROUGH: String(isThorough),
      DEVICEPORTAL_TEST_LEFT_OUT: leftOut.join(','),
      ...(project === 'node' ? {} : { DEVICEPORTAL_TEST_DATABASE_URL: undefined }),
    };
    const args = [...command, '--project', project, ...files, ...reportTo(report)];
    const { code } = await runCommand(node, args, { env });
    return { code, failures: await readFailedTests(report) };
  };
  return {
    serverTests: ({ name, ...choice }) =>
      timed(name, () => runTests(name, ['node_modules/vitest/vitest.mjs', 'run'], choice)),
    browserTests({ name, ...choice }) {
      const title = `browser tests, ${name}`;
      return timed(title, () => runTests(title, ['e2e/run.ts'], choice));
    },
  };
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
