import { maskOverlap, maskSecrets } from '../commands/output/mask-secrets.ts';

export interface RawPiece {
  readonly stream: 'stdout' | 'stderr';
  /** Offset of the text in its stream, in UTF-16 code units. */
  readonly offset: number;
  readonly text: string;
}

interface Stream {
  /** The end of the text that has passed, unmasked. */
  readonly tail: string;
  readonly endsAt: number;
}

/**
 * Masks the secrets of one invocation in its output, once for all viewers. A viewer who joins in the middle of a
 * secret, or after a gap, does not see the rest of it.
 */
export class OutputMask {
  readonly #secrets: readonly string[];
  readonly #overlap: number;
  readonly #streams = new Map<RawPiece['stream'], Stream>();

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
    this.#overlap = maskOverlap(secrets);
  }

  /** The text of the piece, with its length unchanged. */
  mask({ stream, offset, text }: RawPiece): string {
    if (this.#overlap === 0) return text;
    const before = this.#streams.get(stream);
    const tail = before?.endsAt === offset ? before.tail : '';
    const whole = tail + text;
    const endsAt = offset + text.length;
    // A repeated piece must not replace what is already known.
    if (before === undefined || endsAt >= before.endsAt)
      this.#streams.set(stream, { tail: whole.slice(-this.#overlap), endsAt });
    const fromStart = offset === tail.length;
    return maskSecrets(whole, this.#secrets, { fromStart }).slice(tail.length);
  }
}
