import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAgent } from './build-agent.mjs';
import { buildPortal } from './build-portal.mjs';
import { readFailedTests, reportTo } from './failed-tests.mjs';
import { installDependencies } from './install-dependencies.mjs';
import { findNode, root } from './paths.mjs';
import { runCommand, secondsSince } from './run-command.mjs';

/** Everything: checks, tests on a real database, browser tests. Later steps run even when an earlier one fails. */
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
  const results = [
    await timed('checks', () => runCommand(node, ['scripts/check.mjs'])),
    await timed('tests', () => runTests('tests', 'node_modules/vitest/vitest.mjs', 'run')),
    await timed('portal build', async () => {
      await buildPortal();
      await buildAgent();
      return { code: 0 };
    }),
    await timed('browser tests', () => runBrowserTests(runTests)),
  ];
  await rm(reports, { recursive: true });
  process.stdout.write('\n');
  for (const { name, passed, duration, failures } of results) {
    process.stdout.write(`${passed ? 'passed' : 'FAILED'}  ${name} (${duration})\n`);
    for (const failure of failures) process.stdout.write(`  ${failure}\n`);
  }
  return results.every(({ passed }) => passed);
}

/** Side by side, so that neither core waits: two lanes that take about as long. */
const lanes = [['shared-portal'], ['own-portals', 'looks']];

async function runBrowserTests(runTests) {
  const results = await Promise.all(
    lanes.map(async (projects) => {
      const ended = [];
      for (const project of projects)
        ended.push(await runTests(project, 'e2e/run.ts', '--project', project));
      return ended;
    }),
  );
  return {
    code: Math.max(...results.flat().map(({ code }) => code)),
    failures: results.flat().flatMap(({ failures }) => failures),
  };
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
