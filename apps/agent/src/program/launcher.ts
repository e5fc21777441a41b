/**
 * Starts the current version of the agent: `node agent-launcher.mjs run …`. It is a separate file,
 * so that it can roll back a version that does not start, hangs, or does not reach the portal.
 */

import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { startTrial } from './trial.ts';

const ATTEMPTS = 3;
const PATIENCE_MS = Number(process.env.DEVICEPORTAL_AGENT_TRIAL_MS ?? 300_000);

const root = import.meta.dirname;
const { onTrial } = await startTrial(root, ATTEMPTS);
if (onTrial) watch(join(root, 'trial.json'));
const program = await realpath(join(root, 'agent', 'current', 'agent.mjs'));
process.argv[1] = program;
await import(pathToFileURL(program).href);

/** In a separate thread, which a program that blocks the main thread cannot delay. */
function watch(file: string): void {
  const source = `
    const { existsSync } = require('node:fs');
    const { workerData } = require('node:worker_threads');
    setTimeout(() => {
      if (existsSync(workerData.file)) process.kill(process.pid, 'SIGKILL');
    }, workerData.patienceMs);`;
  const worker = new Worker(source, {
    eval: true,
    workerData: { file, patienceMs: PATIENCE_MS },
    stdin: false,
  });
  worker.unref();
}
