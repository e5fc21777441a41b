import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimUnbegun, CommandDirectory, type StepFiles } from './command-directory.ts';
import { StepProcess, type ProcessEnd } from './step-process.ts';

let root: string;
let directory: CommandDirectory;
let files: StepFiles;
let output: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'step-process-'));
  directory = new CommandDirectory(root, 'one');
  files = directory.step(0, 1);
  output = '';
});
afterEach(() => rm(root, { recursive: true, force: true }));

const watching = () => ({
  files,
  onOutput: (_stream: string, text: string) => void (output += text),
  signal: new AbortController().signal,
});

async function begin(claimed: boolean): Promise<ProcessEnd> {
  await directory.prepare(files, 'echo ran; exit 3', claimed);
  return run(claimed);
}

async function run(claimed: boolean): Promise<ProcessEnd> {
  const process = await StepProcess.start({
    ...watching(),
    claimed,
    command: ['/bin/sh', files.script],
    workingDirectory: directory.work,
    environment: { PATH: '/usr/bin:/bin' },
  });
  return process.run();
}

test('starts a script once that was not started before a restart of the agent', async () => {
  expect(await claimUnbegun(files)).toBe(true);
  expect(await begin(true)).toEqual({ exitCode: 3, lost: null });
  expect(output).toBe('ran\n');
  expect(await claimUnbegun(files)).toBe(false);
});

test('a late wrapper does not run a script that the restarted agent claimed', async () => {
  await directory.prepare(files, 'echo ran; exit 3');
  expect(await claimUnbegun(files)).toBe(true);
  expect(await run(false)).toEqual({ exitCode: 126, lost: null });
  expect(output).toBe('');
});

test('does not run a script again that started and disappeared', async () => {
  await directory.prepare(files, 'echo ran; exit 3');
  await mkdir(files.begun);
  expect(await claimUnbegun(files)).toBe(false);
  const adopted = await StepProcess.adopt(watching(), { stdout: 0, stderr: 0 });
  expect(await adopted.run()).toMatchObject({ exitCode: null, lost: expect.any(String) as string });
  expect(output).toBe('');
});
