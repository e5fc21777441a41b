/**
 * Starts the current version of the agent: `node agent-launcher.mjs run …`. It lies beside the program and is not part of
 * it, so that a version which does not start, hangs, or does not reach the portal is left for the one before.
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

/** In a thread of its own: a program that keeps the first thread busy cannot hold it up. */
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
