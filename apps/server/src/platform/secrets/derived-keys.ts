/** The keys of one purpose as they are now; they change when the secret that they are made from is rotated. */
export interface DerivedKeys {
  /** Seals and signs. 32 bytes. */
  readonly current: Uint8Array;
  /** Open and verify: the current one first, then the others. */
  readonly known: readonly Uint8Array[];
}

/** Keys that rotate, or one that does not. */
export type KeySource = DerivedKeys | Uint8Array;

export const keysOf = (source: KeySource): DerivedKeys =>
  source instanceof Uint8Array ? { current: source, known: [source] } : source;

/**
 * What the first key gives that does not throw.
 * @throws what the current key throws, where none can
 */
export function withKnownKey<Result>(
  { current, known }: DerivedKeys,
  attempt: (key: Uint8Array) => Result,
): Result {
  try {
    return attempt(current);
  } catch (error) {
    for (const key of known.filter((other) => other !== current)) {
      try {
        return attempt(key);
      } catch {
        // Sealed with another one.
      }
    }
    throw error;
  }
}
