import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OutputTail, wholeCharacters } from './output-tail.ts';

describe('following output', () => {
  test('returns complete characters for any split of the writes', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'tail-'));
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.nat(),
        async (text, cut) => {
          const wellFormed = text.toWellFormed();
          const bytes = Buffer.from(wellFormed);
          const at = bytes.length === 0 ? 0 : cut % bytes.length;
          const path = join(directory, 'out');
          await writeFile(path, bytes.subarray(0, at));
          let seen = '';
          const tail = new OutputTail(path, 0, (piece) => {
            seen += piece;
          });
          await tail.read(false);
          await appendFile(path, bytes.subarray(at));
          await tail.read(true);
          expect(seen).toBe(wellFormed);
        },
      ),
      { numRuns: 60 },
    );
    await rm(directory, { recursive: true, force: true });
  });

  test('invalid UTF-8 does not delay the rest', () => {
    expect(wholeCharacters(Buffer.from([0xff, 0xff, 0xff]))).toBe(3);
    expect(wholeCharacters(Buffer.from([0x61, 0xe2, 0x82]))).toBe(1);
  });
});
