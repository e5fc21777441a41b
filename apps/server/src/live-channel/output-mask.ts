import { maskOverlap, maskSecrets } from '../commands/output/mask-secrets.ts';

export interface RawPiece {
  readonly stream: 'stdout' | 'stderr';
  /** Where the text begins in its stream, in UTF-16 units. */
  readonly offset: number;
  readonly text: string;
}

interface Stream {
  /** The end of what has passed, unmasked. */
  readonly tail: string;
  readonly endsAt: number;
}

/**
 * Hides the secrets of one invocation in its output as it passes, once for everybody who looks. Who comes in the
 * middle of a secret's text, or after a hole, does not see its rest either.
 */
export class OutputMask {
  readonly #secrets: readonly string[];
  readonly #overlap: number;
  readonly #streams = new Map<RawPiece['stream'], Stream>();

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
    this.#overlap = maskOverlap(secrets);
  }

  /** The piece's text, as long as it was. */
  mask({ stream, offset, text }: RawPiece): string {
    if (this.#overlap === 0) return text;
    const before = this.#streams.get(stream);
    const tail = before?.endsAt === offset ? before.tail : '';
    const whole = tail + text;
    const endsAt = offset + text.length;
    // What comes again must not be forgotten where it was already known.
    if (before === undefined || endsAt >= before.endsAt)
      this.#streams.set(stream, { tail: whole.slice(-this.#overlap), endsAt });
    const fromStart = offset === tail.length;
    return maskSecrets(whole, this.#secrets, { fromStart }).slice(tail.length);
  }
}
