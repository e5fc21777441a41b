import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildAll } from './build-all.mjs';
import { installDependencies } from './install-dependencies.mjs';
import { keepAddedPackages } from './optional-packages.mjs';
import { findNode, root } from './paths.mjs';

/**
 * Node lets the space for new objects grow to 128 MB and returns little of it. Twice 16 MB hold what a burst of device
 * events leaves, with no fewer events per second.
 */
const MEMORY_OPTION = '--max-semi-space-size=16';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a fresh clone: installs, builds what has changed, and starts the server with all arguments.
 */
async function start() {
  await installDependencies(root, { toRun: true });
  await keepAddedPackages();
  await buildAll();
  const program = join(root, 'apps', 'server', 'dist', 'server', 'server.mjs');
  const server = spawn(findNode(), [MEMORY_OPTION, program, ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'), ...process.env },
  });
  for (const signal of SIGNALS) process.on(signal, () => server.kill(signal));
  const [code, signal] = await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (...ended) => resolve(ended));
  });
  process.exitCode = signal === null ? (code ?? 1) : 1;
}

start().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
