import type { OutputPiece } from '@deviceportal/contract/invocations';

/** A stream as far as it is known without a hole, and pieces that came before what they follow. */
export interface MergedOutput {
  readonly text: string;
  /** What the server says has arrived; more than `text` holds while something is missing. */
  readonly total: number;
  readonly truncated: boolean;
  /** By offset, not overlapping `text`. */
  readonly waiting: readonly Piece[];
}

export interface Piece {
  readonly offset: number;
  readonly text: string;
}

export const emptyOutput: MergedOutput = { text: '', total: 0, truncated: false, waiting: [] };

/**
 * Adds a piece at its offset. Pieces may come twice, overlap, or come before the ones that they follow: what is known
 * already is never changed, and what leaves a hole waits until the hole is filled.
 */
export function mergePiece(output: MergedOutput, piece: Piece): MergedOutput {
  const end = piece.offset + piece.text.length;
  const total = Math.max(output.total, end);
  if (end <= output.text.length) return total === output.total ? output : { ...output, total };
  if (piece.offset > output.text.length) {
    const waiting = [...output.waiting, piece].toSorted((one, other) => one.offset - other.offset);
    return { ...output, total, waiting };
  }
  return drain({
    ...output,
    total,
    text: output.text + piece.text.slice(output.text.length - piece.offset),
  });
}

/** An answer of the server: its piece, how much there is, and whether it was cut. */
export function mergeAnswer(output: MergedOutput, answer: OutputPiece): MergedOutput {
  const merged = mergePiece(output, answer);
  const total = Math.max(merged.total, answer.total);
  if (total === merged.total && answer.truncated === merged.truncated) return merged;
  return { ...merged, total, truncated: merged.truncated || answer.truncated };
}

/** Something is missing in the middle or at the end: ask from `text.length` on. */
export function hasGap(output: MergedOutput): boolean {
  return output.text.length < output.total;
}

function drain(output: MergedOutput): MergedOutput {
  let { text } = output;
  const waiting: Piece[] = [];
  for (const piece of output.waiting) {
    if (piece.offset > text.length) waiting.push(piece);
    else if (piece.offset + piece.text.length > text.length) {
      text += piece.text.slice(text.length - piece.offset);
    }
  }
  return { ...output, text, waiting };
}
