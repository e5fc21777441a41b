import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  matchesIn,
  sourceAt,
  TERMINAL_SEARCH_CHARACTERS,
  TerminalText,
  type ShownLine,
} from './terminal-text.ts';

function linesOf(...outputs: readonly string[]): ShownLine[] {
  const lines: ShownLine[] = [];
  const text = new TerminalText((line) => void lines.push(line));
  outputs.forEach((output, source) => text.add(output, source));
  text.end();
  return lines;
}

const textsOf = (...outputs: readonly string[]): string[] =>
  linesOf(...outputs).map(({ text }) => text);

describe('the text that a terminal has shown', () => {
  it.each([
    ['colors', '\u001b[1;31mer\u001b[0mror', ['error']],
    ['a title', '\u001b]0;title\u0007shown\u001b]2;other\u001b\\ text', ['shown text']],
    ['a device string', '\u001bPhidden\u001b\\shown', ['shown']],
    ['character sets', '\u001b(Bsh\u001b)0own', ['shown']],
    ['keypad modes', '\u001b=\u001b[?2004hshown\u001b>', ['shown']],
    ['corrected typing', 'lx\b \bs -l', ['ls -l']],
    ['a typed line that was erased', 'abc\b\b\b\u001b[Kls', ['ls']],
    ['lines', 'one\r\ntwo\nthree', ['one', 'two', 'three']],
    ['progress in one line', '10 %\r20 %\r\n', ['10 %', '20 %']],
    ['movements', 'left\u001b[5;40Hright', ['left', 'right']],
    ['a gap', 'one\u001b[Ctwo', ['one two']],
    ['an unfinished sequence', 'shown\u001b[3', ['shown']],
  ])('is read through %s', (_name, output, expected) => {
    expect(textsOf(output)).toEqual(expected);
  });

  it('does not depend on how the output is divided', () => {
    const output = 'a\u001b[1;31mb\u001b]0;t\u001b\\c\r\nd\u001b(Be\b\bf\u001b[2Jg\rh';
    const whole = textsOf(output);
    fc.assert(
      fc.property(fc.array(fc.nat({ max: output.length }), { maxLength: 12 }), (cuts) => {
        const at = [0, ...cuts.toSorted((one, other) => one - other), output.length];
        const pieces = at.slice(1).map((end, index) => output.slice(at[index], end));
        expect(textsOf(...pieces)).toEqual(whole);
      }),
    );
  });

  it('names what has added the last character of a match', () => {
    const [line] = linesOf('nothing he', 'l', '\u001b[1mlo', ' there');
    if (line === undefined) throw new Error('no line');
    const [end = 0] = matchesIn(line, 'hello');
    expect(sourceAt(line, end)).toBe(2);
  });

  it('finds each match in a very long line once, also where it is divided', () => {
    const gap = 'x'.repeat(1_013);
    const lines = linesOf(...Array.from({ length: 40 }, () => `${gap}needle`));
    expect(lines.length).toBeGreaterThan(3);
    const found = lines.flatMap((line) =>
      matchesIn(line, 'needle').map((end) => sourceAt(line, end)),
    );
    expect(found).toEqual(Array.from({ length: 40 }, (_, index) => index));
    const longest = 'y'.repeat(TERMINAL_SEARCH_CHARACTERS);
    const long = linesOf('x'.repeat(8_100), longest, 'x'.repeat(9_000));
    expect(long.flatMap((line) => matchesIn(line, longest))).toHaveLength(1);
  });

  it('reads 10 MB of output within two seconds, whatever it contains', () => {
    const hostile = '\u001b[31m\b\ra\u001b]0;'.repeat(100_000);
    for (const output of ['x'.repeat(10_000_000), hostile, '\u001b['.repeat(1_000_000)]) {
      const startedAtMs = performance.now();
      linesOf(output);
      expect(performance.now() - startedAtMs).toBeLessThan(2_000);
    }
  });
});
