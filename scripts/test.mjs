import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAgent } from './build-agent.mjs';
import { buildPortal } from './build-portal.mjs';
import { readFailedTests, reportTo } from './failed-tests.mjs';
import { installDependencies } from './install-dependencies.mjs';
import { findNode, root } from './paths.mjs';
import { runCommand, secondsSince } from './run-command.mjs';

// Long walks and every look of every screen are for machines that nobody waits for.
const isUnwatched = Boolean(process.env['CI']);
const LEFT_TO_CI =
  'Left to CI (CI=true npm test runs them): the long walks, *.walk.test.ts and *.walk.e2e.ts, and the looks of a screen beyond a pairwise choice.';

/** Browser tests side by side, so that neither core waits: lanes that take about as long. */
const lanes = [isUnwatched ? ['shared-portal', 'own-portals'] : ['shared-portal'], ['looks']];

/** Checks, tests on a real database, browser tests. Later steps run even when an earlier one fails. */
async function test() {
  await installDependencies();
  const node = findNode();
  const env = {
    PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
    // Hundreds of programs are started: each compiles only what none has compiled before.
    NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'),
  };
  const reports = await mkdtemp(join(tmpdir(), 'deviceportal-tests-'));
  const runTests = async (name, ...command) => {
    const report = join(reports, `${name}.json`);
    const { code } = await runCommand(node, [...command, ...reportTo(report)], { env });
    return { code, failures: await readFailedTests(report) };
  };
  const serverTests = ['node_modules/vitest/vitest.mjs', 'run'];
  const browserTests = (project) =>
    timed(`browser tests, ${project}`, () => runTests(project, 'e2e/run.ts', '--project', project));
  const results = [
    await timed('checks', () => runCommand(node, ['scripts/check.mjs'])),
    await timed('tests', () =>
      runTests('tests', ...serverTests, ...(isUnwatched ? [] : ['--project', 'node'])),
    ),
    await timed('build', async () => {
      await buildPortal();
      await buildAgent();
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
  if (!isUnwatched) process.stdout.write(`${LEFT_TO_CI}\n`);
  return results.every(({ passed }) => passed);
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
    const line = passed ? 'Everything passed' : 'Something failed; the list above says what';
    process.stdout.write(`${line} (${secondsSince(startedAt)}).\n`);
    process.exitCode = passed ? 0 : 1;
  },
  (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  },
);
