/**
 * Directories of a command: `<state>/commands/<invocation>/work` is shared by its steps;
 * `step-<index>-<attempt>/` contains script, stdout, stderr, exit record, and reports.
 */

import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { openAsBlob } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { CollectedFile } from './machine.ts';

const MAX_REPORT_BYTES = 1024 * 1024;

export interface StepFiles {
  readonly directory: string;
  readonly script: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: string;
  readonly pid: string;
  /** Created once, by the process that starts the script or by one that prevents its start. */
  readonly begun: string;
  readonly report: string;
  readonly artifacts: string;
}

export class CommandDirectory {
  readonly root: string;
  readonly work: string;

  constructor(stateDirectory: string, invocationId: string) {
    this.root = join(stateDirectory, 'commands', invocationId);
    this.work = join(this.root, 'work');
  }

  /** A path relative to the command's directory; absolute paths are not changed. */
  path(relative: string): string {
    return resolve(this.work, relative);
  }

  step(index: number, attempt: number): StepFiles {
    const directory = join(this.root, `step-${index}-${attempt}`);
    const file = (name: string): string => join(directory, name);
    return {
      directory,
      script: file('script'),
      stdout: file('stdout'),
      stderr: file('stderr'),
      exit: file('exit'),
      pid: file('pid'),
      begun: file('begun'),
      report: file('report'),
      artifacts: file('artefacts'),
    };
  }

  /**
   * Creates the files that a script needs at its start. Files of an earlier attempt are removed,
   * unless it never started.
   */
  async prepare(files: StepFiles, script: string, keep = false): Promise<void> {
    // After a restart of the machine, a step must not find the exit record of its first run.
    if (!keep) await rm(files.directory, { recursive: true, force: true });
    await mkdir(this.work, { recursive: true, mode: 0o700 });
    await mkdir(files.artifacts, { recursive: true, mode: 0o700 });
    await writeFile(files.script, script, { mode: 0o700 });
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}

/**
 * Claims the start of a script from before a restart of the agent. Returns true if its wrapper had
 * not started, which then never will.
 */
export async function claimUnbegun(files: StepFiles): Promise<boolean> {
  await mkdir(files.directory, { recursive: true, mode: 0o700 });
  try {
    await mkdir(files.begun);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  // A wrapper of a release without start marks.
  return !(await exists(files.pid)) && !(await exists(files.exit));
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** The recorded exit code; undefined if there is none yet. */
export async function readExitRecord(files: StepFiles): Promise<number | undefined> {
  const text = await readFile(files.exit, 'utf8').catch(() => '');
  return /^\d+\n$/.test(text) ? Number(text) : undefined;
}

/** JSON lines. An invalid line is returned as text, so that the command can report it. */
export async function readReports(files: StepFiles): Promise<unknown[]> {
  const text = await readFile(files.report, 'utf8').catch(() => '');
  if (text.length > MAX_REPORT_BYTES) return [`larger than ${MAX_REPORT_BYTES} bytes`];
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      try {
        return JSON.parse(line) as unknown;
      } catch {
        return line;
      }
    });
}

/** Regular files directly in the folder for collected files, by name. */
export async function collectedFiles(files: StepFiles): Promise<CollectedFile[]> {
  const names = await readdir(files.artifacts).catch(() => []);
  const collected: CollectedFile[] = [];
  for (const name of names.toSorted()) {
    const path = join(files.artifacts, name);
    if (!path.startsWith(files.artifacts + sep) || !(await stat(path)).isFile()) continue;
    collected.push({ name: name.slice(0, 255), content: () => openAsBlob(path) });
  }
  return collected;
}
