/** Replaces the installed program by a newer bundle: the server's, another address's, or a file's. */

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { AGENT_PACKAGE, programRoot } from './machine/package-directory.ts';
import { openAgentProgram } from './program/agent-program.ts';
import { openRelease } from './program/open-release.ts';
import { programStage } from './service.ts';

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
export async function upgradeProgram({ stateDirectory, from }: UpgradeOptions): Promise<string> {
  const staged = await programStage(stateDirectory);
  try {
    // A process that can write the named file cannot reach the copy: what is checked is what runs.
    if (/^https?:/.test(from)) await writeFile(staged, await fetchBundle(from));
    else await copyFile(resolve(from), staged);
    const { version } = await openRelease(stateDirectory, staged);
    const { stdout } = await run(process.execPath, [staged, 'version']);
    if (stdout.trim() !== version) throw new Error(`${from} does not run here`);
    await openAgentProgram(stateDirectory).install({
      name: AGENT_PACKAGE,
      version,
      artefactPath: staged,
      operation: `program/${randomUUID()}`,
    });
    await replaceDownload(stateDirectory);
    return version;
  } finally {
    await rm(dirname(staged), { recursive: true, force: true });
  }
}

/** What the installation fetched is what people start by hand: it must not stay behind. */
async function replaceDownload(stateDirectory: string): Promise<void> {
  const path = join(stateDirectory, 'download', 'agent.mjs');
  if (!(await stat(path).catch(() => null))) return;
  const installed = join(programRoot(stateDirectory), AGENT_PACKAGE, 'current', 'agent.mjs');
  await copyFile(installed, `${path}.part`);
  await rename(`${path}.part`, path);
}

async function fetchBundle(from: string): Promise<Buffer> {
  const response = await fetch(from);
  if (!response.ok) throw new Error(`${from} answered ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}
