import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { keepRunning } from './child-program.ts';

test('an exit is logged as a warning with the last output of the program', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dp-child-'));
  const file = join(folder, 'program.ts');
  await writeFile(file, `process.stderr.write('no room left\\n'); process.exitCode = 3;`);
  const { logger, warnings } = recordWarnings();
  const child = keepRunning({ name: 'a program', file, args: [], logger });
  await expect
    .poll(warnings, { timeout: 10_000 })
    .toContainEqual(
      expect.objectContaining({ program: 'a program', exitCode: 3, reason: 'no room left' }),
    );
  await child[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

function recordWarnings() {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return {
    logger: pino({ level: 'warn' }, stream),
    warnings: () => lines.map((line) => JSON.parse(line) as object),
  };
}
