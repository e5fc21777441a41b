import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffedLines, diffModel, splitLines } from './diff-model.ts';
import { decodeVersions, encodeVersions } from './version-range.ts';

const texts = fc
  .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
  .map((lines) => lines.map((line) => `${line}\n`).join(''));

describe('the diff of two versions', () => {
  test('contains both texts with consecutive line numbers', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const lines = diffedLines(before, after);
        const old = lines.filter((line) => line.before !== null);
        const now = lines.filter((line) => line.after !== null);
        expect(old.map((line) => line.text)).toEqual(splitLines(before));
        expect(now.map((line) => line.text)).toEqual(splitLines(after));
        expect(old.map((line) => line.before)).toEqual(old.map((_line, index) => index + 1));
        expect(now.map((line) => line.after)).toEqual(now.map((_line, index) => index + 1));
      }),
    );
  });

  test('folding hides no changed line', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const { parts } = diffModel(before, after);
        expect(parts.flatMap((part) => part.lines)).toEqual(diffedLines(before, after));
        for (const part of parts) {
          if (part.kind === 'skipped') {
            expect(part.lines.every((line) => line.kind === 'same')).toBe(true);
          }
        }
      }),
    );
  });

  test('keeps three equal lines around a change and folds the rest', () => {
    const lines = Array.from({ length: 20 }, (_each, index) => `line ${index + 1}\n`);
    const changed = lines.with(9, 'other\n');
    const { parts, added, removed } = diffModel(lines.join(''), changed.join(''));
    expect({ added, removed }).toEqual({ added: 1, removed: 1 });
    expect(parts.map((part) => [part.kind, part.lines.length])).toEqual([
      ['skipped', 6],
      ['lines', 8],
      ['skipped', 7],
    ]);
  });
});

describe('versions in the address', () => {
  test('reads one version, a comparison in either order, and invalid values', () => {
    expect(decodeVersions('3')).toEqual({ version: 3, comparedWith: null });
    expect(decodeVersions('5..3')).toEqual({ version: 5, comparedWith: 3 });
    expect(decodeVersions('x')).toEqual({ version: null, comparedWith: null });
    expect(encodeVersions(decodeVersions('5..3'))).toBe('3..5');
    expect(encodeVersions(decodeVersions(3))).toBe(3);
  });
});
