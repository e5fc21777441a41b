/**
 * Versions of the agent itself. A new version is installed only if it is signed, and is on trial
 * first.
 */

import * as realFileSystem from 'node:fs/promises';
import type { FileSystem } from '../machine/durable-files.ts';
import { PackageDirectory, programRoot } from '../machine/package-directory.ts';
import { openRelease } from './open-release.ts';
import { beginTrial } from './trial.ts';

export function openAgentProgram(
  stateDirectory: string,
  fileSystem: FileSystem = realFileSystem,
): PackageDirectory {
  const root = programRoot(stateDirectory);
  return new PackageDirectory(root, {
    fileSystem,
    async check({ artifactPath, version }) {
      const release = await openRelease(stateDirectory, artifactPath);
      if (release.version === version) return;
      throw new Error(`the update was rejected: it is ${release.version}, not ${version}`);
    },
    async beforeSwitch({ from, to }) {
      if (from !== null && from !== to) await beginTrial(fileSystem, root, { from, to });
    },
  });
}
