/**
 * Where a command's steps live on disk: `<state>/commands/<invocation>/work` is their common directory,
 * `step-<index>-<attempt>/` holds script, stdout, stderr, the exit record and what the step reports.
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
  /** Made once, by whoever begins the script or makes sure that it never begins. */
  readonly begun: string;
  readonly report: string;
  readonly artefacts: string;
}

export class CommandDirectory {
  readonly root: string;
  readonly work: string;

  constructor(stateDirectory: string, invocationId: string) {
    this.root = join(stateDirectory, 'commands', invocationId);
    this.work = join(this.root, 'work');
  }

  /** A path of the command's own directory; an absolute one is meant as it is. */
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
      artefacts: file('artefacts'),
    };
  }

  /** Everything a script finds when it begins; nothing of an earlier run, unless that never began. */
  async prepare(files: StepFiles, script: string, keep = false): Promise<void> {
    // A run again after a restart of the machine must not find the old one's end.
    if (!keep) await rm(files.directory, { recursive: true, force: true });
    await mkdir(this.work, { recursive: true, mode: 0o700 });
    await mkdir(files.artefacts, { recursive: true, mode: 0o700 });
    await writeFile(files.script, script, { mode: 0o700 });
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}

/**
 * Takes the beginning of a script away from an earlier life of the agent: true where that life ended before its
 * wrapper began, which then never will.
 */
export async function claimUnbegun(files: StepFiles): Promise<boolean> {
  await mkdir(files.directory, { recursive: true, mode: 0o700 });
  try {
    await mkdir(files.begun);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  // A wrapper of a release that did not mark its beginning.
  return !(await exists(files.pid)) && !(await exists(files.exit));
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** The exit code on record, or undefined while there is none. */
export async function readExitRecord(files: StepFiles): Promise<number | undefined> {
  const text = await readFile(files.exit, 'utf8').catch(() => '');
  return /^\d+\n$/.test(text) ? Number(text) : undefined;
}

/** JSON lines; a line that is none is handed on as text, so that the command can say what is wrong. */
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

/** Regular files directly in the artefacts directory, by name. */
export async function collectedFiles(files: StepFiles): Promise<CollectedFile[]> {
  const names = await readdir(files.artefacts).catch(() => []);
  const collected: CollectedFile[] = [];
  for (const name of names.toSorted()) {
    const path = join(files.artefacts, name);
    if (!path.startsWith(files.artefacts + sep) || !(await stat(path)).isFile()) continue;
    collected.push({ name: name.slice(0, 255), content: () => openAsBlob(path) });
  }
  return collected;
}
