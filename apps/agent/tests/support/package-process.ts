/**
 * Child process for tests that kill a package operation: `node package-process.ts ROOT OPERATION
 * CRASH_AT`. It kills itself before the file system call with that number, and exits with 0 if
 * there is no such call.
 */

import { killedAt } from './killed-at.ts';
import { runPackageOperation, type TestOperation } from './run-package-operation.ts';

const [root = '', operation = '{}', crashAt = '0'] = process.argv.slice(2);
await runPackageOperation(root, JSON.parse(operation) as TestOperation, killedAt(Number(crashAt)));
