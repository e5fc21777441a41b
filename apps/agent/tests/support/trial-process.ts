/**
 * Child process for tests that kill a launcher before it starts a program: `node trial-process.ts
 * PROGRAM_ROOT CRASH_AT`. It kills itself before the file system call with that number, and exits
 * with 0 if there is no such call.
 */

import { startTrial } from '../../src/program/trial.ts';
import { killedAt } from './killed-at.ts';

const [root = '', crashAt = '0'] = process.argv.slice(2);
await startTrial(root, 3, killedAt(Number(crashAt)));
