/**
 * Child process for tests that kill an operation on a package: `node package-process.ts ROOT OPERATION CRASH_AT`. It
 * kills itself before the call of the file system with that number, and ends with 0 where there is no such call.
 */

import * as realFileSystem from 'node:fs/promises';
import type { FileSystem } from '../../src/machine/durable-files.ts';
import { runPackageOperation, type TestOperation } from './run-package-operation.ts';

const [root = '', operation = '{}', crashAt = '0'] = process.argv.slice(2);
let calls = 0;

const fileSystem = new Proxy<FileSystem>(realFileSystem, {
  get(target, name) {
    const own = Reflect.get(target, name) as (...args: unknown[]) => unknown;
    return (...args: unknown[]) => {
      calls += 1;
      if (calls === Number(crashAt)) process.kill(process.pid, 'SIGKILL');
      return own(...args);
    };
  },
});

await runPackageOperation(root, JSON.parse(operation) as TestOperation, fileSystem);
