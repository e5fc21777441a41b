/**
 * Child process for tests that kill an operation on a package: `node package-process.ts ROOT OPERATION CRASH_AT`. It
 * kills itself before the call of the file system with that number, and ends with 0 where there is no such call.
 */

import { killedAt } from './killed-at.ts';
import { runPackageOperation, type TestOperation } from './run-package-operation.ts';

const [root = '', operation = '{}', crashAt = '0'] = process.argv.slice(2);
await runPackageOperation(root, JSON.parse(operation) as TestOperation, killedAt(Number(crashAt)));
