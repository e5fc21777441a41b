import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const setUp = new URL('use-scratch-folder.ts', import.meta.url).href;

/** A test run that writes a file; returns its path, or undefined if there is not enough memory. */
async function runTests(): Promise<string> {
  const { stdout } = await run(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { writeFileSync } from 'node:fs';
     import useScratchFolder from '${setUp}';
     delete process.env.TMPDIR;
     useScratchFolder();
     useScratchFolder();
     const folder = process.env.TMPDIR ?? '';
     if (folder !== '') writeFileSync(folder + '/written', 'x');
     process.stdout.write(folder);`,
  ]);
  return stdout;
}

test('what a run of tests writes goes with it, and so does what a killed one left', async ({
  skip,
}) => {
  const leftBehind = '/dev/shm/deviceportal-tests-4194305';
  const isLinux = existsSync('/dev/shm');
  if (isLinux) mkdirSync(leftBehind);
  try {
    const folder = await runTests();
    if (folder === '') skip('this machine has too little memory to spare');
    expect(existsSync(folder)).toBe(false);
    expect(existsSync(leftBehind)).toBe(false);
  } finally {
    if (isLinux) rmSync(leftBehind, { recursive: true, force: true });
  }
});
