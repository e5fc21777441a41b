import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildAgent } from './build-agent.mjs';
import { buildPortal } from './build-portal.mjs';
import { installDependencies } from './install-dependencies.mjs';
import { findNode, root } from './paths.mjs';
import { runCommand, secondsSince } from './run-command.mjs';

/** Everything: checks, tests on a real database, browser tests. Later steps run even when an earlier one fails. */
async function test() {
  await installDependencies();
  const node = findNode();
  const path = `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`;
  const browserTests = join(root, 'e2e', 'run.ts');
  const results = [
    await timed('checks', () => runCommand(node, ['scripts/check.mjs'])),
    await timed('tests', () =>
      runCommand(node, ['node_modules/vitest/vitest.mjs', 'run'], { env: { PATH: path } }),
    ),
    await timed('portal build', async () => {
      await buildPortal();
      await buildAgent();
      return { code: 0 };
    }),
    ...(existsSync(browserTests)
      ? [
          await timed('browser tests', () =>
            runCommand(node, [browserTests], { env: { PATH: path } }),
          ),
        ]
      : []),
  ];
  process.stdout.write('\n');
  for (const { name, passed, duration } of results) {
    process.stdout.write(`${passed ? 'passed' : 'FAILED'}  ${name} (${duration})\n`);
  }
  return results.every(({ passed }) => passed);
}

async function timed(name, work) {
  process.stdout.write(`\n== ${name}\n`);
  const startedAt = performance.now();
  let passed = false;
  try {
    passed = (await work()).code === 0;
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
  }
  return { name, passed, duration: secondsSince(startedAt) };
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
