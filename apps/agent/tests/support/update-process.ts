/**
 * Child process for tests that kill an update of the agent: `node update-process.ts STATE_DIR FILE
 * VERSION CRASH_AT`. It kills itself before the file system call with that number, and exits with 0
 * if there is no such call.
 */

import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openAgentProgram } from '../../src/program/agent-program.ts';
import { killedAt } from './killed-at.ts';

const [stateDirectory = '', file = '', version = '', crashAt = '0'] = process.argv.slice(2);
const artifactPath = join(stateDirectory, 'upgrade', 'agent.mjs');
await mkdir(dirname(artifactPath), { recursive: true });
await copyFile(file, artifactPath);
const program = openAgentProgram(stateDirectory, killedAt(Number(crashAt)));
await program.install({ name: 'agent', version, artifactPath, operation: 'update/1' });
