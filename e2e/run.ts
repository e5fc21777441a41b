import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Runs the browser tests with the Node that runs this file. Arguments are passed to Vitest. */
const vitest = join(
  dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
  'vitest.mjs',
);
const runner = spawn(
  process.execPath,
  [
    vitest,
    'run',
    '--config',
    join(import.meta.dirname, 'vitest.config.ts'),
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
runner.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
