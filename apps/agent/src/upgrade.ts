/** Replaces the installed program by a newer bundle: the server's, another address's, or a file's. */

import { execFile } from 'node:child_process';
import { copyFile, mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { installProgram } from './service.ts';

const run = promisify(execFile);

export interface UpgradeOptions {
  readonly stateDirectory: string;
  /** A file or an http(s) address. */
  readonly from: string;
}

/** Returns the version installed. The bundle must be able to say its version, else nothing changes. */
export async function upgradeProgram(options: UpgradeOptions): Promise<string> {
  const bundlePath = /^https?:/.test(options.from)
    ? await fetchBundle(options)
    : resolve(options.from);
  const { stdout } = await run(process.execPath, [bundlePath, 'version']);
  const version = stdout.trim();
  if (!/^\d+\.\d+\.\d+[\w.+-]*$/.test(version)) throw new Error(`${options.from} is no agent`);
  await installProgram(options.stateDirectory, bundlePath, version);
  await replaceDownload(options.stateDirectory, bundlePath);
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
