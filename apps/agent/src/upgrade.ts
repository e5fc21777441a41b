/** Replaces the installed program by a newer bundle: the server's, another address's, or a file's. */

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { AGENT_PACKAGE } from './machine/package-directory.ts';
import { openAgentProgram } from './program/agent-program.ts';
import { openRelease } from './program/open-release.ts';
import { stageProgram } from './service.ts';

const run = promisify(execFile);

export interface UpgradeOptions {
  readonly stateDirectory: string;
  /** A file or an http(s) address. */
  readonly from: string;
}

/**
 * Returns the version installed. The bundle must be signed by a key that this machine has pinned, be no older unless its
 * signature allows that, and be able to say its version; else nothing changes.
 */
export async function upgradeProgram(options: UpgradeOptions): Promise<string> {
  const { stateDirectory } = options;
  const bundlePath = /^https?:/.test(options.from)
    ? await fetchBundle(options)
    : resolve(options.from);
  const { version } = await openRelease(stateDirectory, bundlePath);
  const { stdout } = await run(process.execPath, [bundlePath, 'version']);
  if (stdout.trim() !== version) throw new Error(`${options.from} does not run here`);
  await openAgentProgram(stateDirectory).install({
    name: AGENT_PACKAGE,
    version,
    artefactPath: await stageProgram(stateDirectory, bundlePath),
    operation: `program/${randomUUID()}`,
  });
  await replaceDownload(stateDirectory, bundlePath);
  return version;
}

/** What the installation fetched is what people start by hand: it must not stay behind. */
async function replaceDownload(stateDirectory: string, bundlePath: string): Promise<void> {
  const path = join(stateDirectory, 'download', 'agent.mjs');
  if (!(await stat(path).catch(() => null))) return;
  await copyFile(bundlePath, `${path}.part`);
  await rename(`${path}.part`, path);
}

async function fetchBundle({ from, stateDirectory }: UpgradeOptions): Promise<string> {
  const response = await fetch(from);
  if (!response.ok) throw new Error(`${from} answered ${response.status}`);
  const path = join(stateDirectory, 'upgrade', 'downloaded.mjs');
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, Buffer.from(await response.arrayBuffer()));
  return path;
}
