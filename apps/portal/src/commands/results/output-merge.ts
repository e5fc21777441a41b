import type { OutputPiece } from '@deviceportal/contract/invocations';

/** The known prefix of a stream, and pieces that lie beyond it. */
export interface MergedOutput {
  readonly text: string;
  /** The length received by the server. More than `text` while pieces are missing. */
  readonly total: number;
  readonly truncated: boolean;
  /** Sorted by offset, beyond `text`. */
  readonly waiting: readonly Piece[];
}

export interface Piece {
  readonly offset: number;
  readonly text: string;
}

export const emptyOutput: MergedOutput = { text: '', total: 0, truncated: false, waiting: [] };

/**
 * Adds a piece at its offset. Pieces can repeat, overlap, and arrive out of order. Known text is
 * never changed, and a piece after a gap is kept until the gap is filled.
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

/**
 * Adds a response of the server: a piece, the total length, and whether the stream was truncated.
 */
export function mergeAnswer(output: MergedOutput, answer: OutputPiece): MergedOutput {
  const merged = mergePiece(output, answer);
  const total = Math.max(merged.total, answer.total);
  if (total === merged.total && answer.truncated === merged.truncated) return merged;
  return { ...merged, total, truncated: merged.truncated || answer.truncated };
}

/** Text is missing in the middle or at the end. Request it from `text.length`. */
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
