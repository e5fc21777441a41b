/**
 * A new version is on trial until it has reached the portal. `trial.json` next to the program is
 * written before the switch and removed by the new version. If it is not removed, the launcher
 * rolls back to the previous version.
 */

import * as fileSystem from 'node:fs/promises';
import { join } from 'node:path';
import { linkDurably, sync, writeDurably, type FileSystem } from '../machine/durable-files.ts';

export interface Trial {
  /** Names of directories next to `current`. */
  readonly to: string;
  readonly from: string;
  /** Number of starts by the launcher. */
  readonly attempts: number;
}

const TRIAL = 'trial.json';
const RETURNED = 'returned.json';
const agentRoot = (root: string): string => join(root, 'agent');

export async function beginTrial(
  fs: FileSystem,
  root: string,
  trial: Pick<Trial, 'to' | 'from'>,
): Promise<void> {
  await writeDurably(fs, join(root, TRIAL), JSON.stringify({ ...trial, attempts: 0 }));
}

/** Called when the running version has reached the portal. Returns the trial that ends. */
export async function endTrial(root: string): Promise<Trial | null> {
  const trial = await readTrial(fileSystem, root);
  if (trial !== null) await remove(fileSystem, root, TRIAL);
  return trial;
}

/** Returns the version that was rolled back since the last call. */
export async function takeReturned(root: string): Promise<Pick<Trial, 'to' | 'from'> | null> {
  const returned = await readJson<Trial>(fileSystem, join(root, RETURNED));
  if (returned !== null) await remove(fileSystem, root, RETURNED);
  return returned;
}

export interface TrialStart {
  /** Whether the current version is on trial. */
  readonly onTrial: boolean;
}

/**
 * Called before the program starts: counts the attempt, or rolls back after too many. After a kill,
 * `current` refers to a complete version, and the next start completes the rollback.
 */
export async function startTrial(
  root: string,
  mostAttempts: number,
  fs: FileSystem = fileSystem,
): Promise<TrialStart> {
  const trial = await readTrial(fs, root);
  if (trial === null) return { onTrial: false };
  const current = await fs.readlink(join(agentRoot(root), 'current')).catch(() => null);
  if (current !== trial.to) {
    // The switch was never made, or the rollback was.
    await remove(fs, root, TRIAL);
    return { onTrial: false };
  }
  if (trial.attempts < mostAttempts) {
    const counted: Trial = { ...trial, attempts: trial.attempts + 1 };
    await writeDurably(fs, join(root, TRIAL), JSON.stringify(counted));
    return { onTrial: true };
  }
  await writeDurably(fs, join(root, RETURNED), JSON.stringify(trial));
  await linkDurably(fs, join(agentRoot(root), 'current'), trial.from);
  await remove(fs, root, TRIAL);
  return { onTrial: false };
}

async function readTrial(fs: FileSystem, root: string): Promise<Trial | null> {
  const trial = await readJson<Partial<Trial>>(fs, join(root, TRIAL));
  if (typeof trial?.to !== 'string' || typeof trial.from !== 'string') return null;
  return { to: trial.to, from: trial.from, attempts: Number(trial.attempts ?? 0) };
}

async function readJson<Value>(fs: FileSystem, path: string): Promise<Value | null> {
  try {
    return JSON.parse(await fs.readFile(path, 'utf8')) as Value;
  } catch {
    return null;
  }
}

async function remove(fs: FileSystem, root: string, name: string): Promise<void> {
  await fs.rm(join(root, name), { force: true });
  await sync(fs, root);
}
