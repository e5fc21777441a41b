import * as realFileSystem from 'node:fs/promises';
import type { FileSystem } from '../../src/machine/durable-files.ts';

/** A file system that kills its process before the call with this number. */
export function killedAt(crashAt: number): FileSystem {
  let calls = 0;
  return new Proxy<FileSystem>(realFileSystem, {
    get(target, name) {
      const own = Reflect.get(target, name) as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        calls += 1;
        if (calls === crashAt) process.kill(process.pid, 'SIGKILL');
        return own(...args);
      };
    },
  });
}
