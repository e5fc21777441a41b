/** Replaces the installed program with a newer bundle, from the server, another URL, or a file. */

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
  /** A file or an http(s) URL. */
  readonly from: string;
}

/**
 * Returns the installed version. The bundle must be signed by a pinned key, must not be older
 * unless its signature allows a downgrade, and must be able to print its version; otherwise nothing
 * is changed.
 */
export async function upgradeProgram({ stateDirectory, from }: UpgradeOptions): Promise<string> {
  const staged = await programStage(stateDirectory);
  try {
    // Checked and installed from a private copy, because other processes may be able to change the
    // original file.
    if (/^https?:/.test(from)) await writeFile(staged, await fetchBundle(from));
    else await copyFile(resolve(from), staged);
    const { version } = await openRelease(stateDirectory, staged);
    const { stdout } = await run(process.execPath, [staged, 'version']);
    if (stdout.trim() !== version) throw new Error(`${from} cannot run on this machine`);
    await openAgentProgram(stateDirectory).install({
      name: AGENT_PACKAGE,
      version,
      artifactPath: staged,
      operation: `program/${randomUUID()}`,
    });
    await replaceDownload(stateDirectory);
    return version;
  } finally {
    await rm(dirname(staged), { recursive: true, force: true });
  }
}

/** Also updates the downloaded file, which users start manually. */
async function replaceDownload(stateDirectory: string): Promise<void> {
  const path = join(stateDirectory, 'download', 'agent.mjs');
  if (!(await stat(path).catch(() => null))) return;
  const installed = join(programRoot(stateDirectory), AGENT_PACKAGE, 'current', 'agent.mjs');
  await copyFile(installed, `${path}.part`);
  await rename(`${path}.part`, path);
}

async function fetchBundle(from: string): Promise<Buffer> {
  const response = await fetch(from);
  if (!response.ok) throw new Error(`${from} returned HTTP ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}
