import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { emptyOutput, hasGap, mergeAnswer, mergePiece, type Piece } from './output-merge.ts';

/** A text, and pieces that cover it in any order, with overlaps and repetitions. */
const streams = fc.string({ minLength: 1, maxLength: 60 }).chain((text) => {
  const piece = fc
    .tuple(fc.nat(text.length - 1), fc.nat(12))
    .map(([offset, length]): Piece => ({ offset, text: text.slice(offset, offset + length) }));
  return fc.record({ text: fc.constant(text), pieces: fc.array(piece, { maxLength: 30 }) });
});

describe('pieces of a stream', () => {
  test('shows a prefix of the stream whatever pieces arrive', () => {
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

  test('is complete after the server sends the rest from the known end', () => {
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

  test('a piece that arrives early leaves a gap until the previous one arrives', () => {
    const early = mergePiece(emptyOutput, { offset: 3, text: 'def' });
    expect(early.text).toBe('');
    expect(hasGap(early)).toBe(true);
    const whole = mergePiece(early, { offset: 0, text: 'abc' });
    expect(whole.text).toBe('abcdef');
    expect(hasGap(whole)).toBe(false);
  });

  test('a duplicate changes nothing', () => {
    const once = mergePiece(emptyOutput, { offset: 0, text: 'abc' });
    expect(mergePiece(once, { offset: 0, text: 'abc' })).toBe(once);
  });

  test('a truncated stream stays marked as truncated', () => {
    const cut = mergeAnswer(emptyOutput, { offset: 0, text: 'a', total: 1, truncated: true });
    expect(mergePiece(cut, { offset: 0, text: 'a' }).truncated).toBe(true);
  });
});
