import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { emptyOutput, hasGap, mergeAnswer, mergePiece, type Piece } from './output-merge.ts';

/** A text, and pieces that cover it, in any order, overlapping and repeated. */
const streams = fc.string({ minLength: 1, maxLength: 60 }).chain((text) => {
  const piece = fc
    .tuple(fc.nat(text.length - 1), fc.nat(12))
    .map(([offset, length]): Piece => ({ offset, text: text.slice(offset, offset + length) }));
  return fc.record({ text: fc.constant(text), pieces: fc.array(piece, { maxLength: 30 }) });
});

describe('[output-merge] pieces of a stream', () => {
  test('[output-merge-1] whatever arrives, what is shown is a beginning of what was written', () => {
    fc.assert(
      fc.property(streams, ({ text, pieces }) => {
        let output = emptyOutput;
        for (const piece of pieces) {
          const before = output.text;
          output = mergePiece(output, piece);
          expect(output.text.startsWith(before)).toBe(true);
          expect(text.startsWith(output.text)).toBe(true);
        }
      }),
    );
  });

  test('[output-merge-2] once the server has told the rest from the known end, everything is there', () => {
    fc.assert(
      fc.property(streams, ({ text, pieces }) => {
        let output = pieces.reduce(mergePiece, emptyOutput);
        const from = output.text.length;
        output = mergeAnswer(output, {
          offset: from,
          text: text.slice(from),
          total: text.length,
          truncated: false,
        });
        expect(output.text).toBe(text);
        expect(output.waiting).toEqual([]);
        expect(hasGap(output)).toBe(false);
      }),
    );
  });

  test('[output-merge-3] a piece that comes too early is a gap until the one before it comes', () => {
    const early = mergePiece(emptyOutput, { offset: 3, text: 'def' });
    expect(early.text).toBe('');
    expect(hasGap(early)).toBe(true);
    const whole = mergePiece(early, { offset: 0, text: 'abc' });
    expect(whole.text).toBe('abcdef');
    expect(hasGap(whole)).toBe(false);
  });

  test('[output-merge-4] a duplicate changes nothing', () => {
    const once = mergePiece(emptyOutput, { offset: 0, text: 'abc' });
    expect(mergePiece(once, { offset: 0, text: 'abc' })).toBe(once);
  });

  test('[output-merge-5] a cut stream stays marked as cut', () => {
    const cut = mergeAnswer(emptyOutput, { offset: 0, text: 'a', total: 1, truncated: true });
    expect(mergePiece(cut, { offset: 0, text: 'a' }).truncated).toBe(true);
  });
});
