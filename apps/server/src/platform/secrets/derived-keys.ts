/** The current keys of a purpose. They change when the secret they are derived from is rotated. */
export interface DerivedKeys {
  /** Seals and signs. 32 bytes. */
  readonly current: Uint8Array;
  /** Keys that open and verify, the current one first. */
  readonly known: readonly Uint8Array[];
}

/** Rotating keys, or a fixed key. */
export type KeySource = DerivedKeys | Uint8Array;

export const keysOf = (source: KeySource): DerivedKeys =>
  source instanceof Uint8Array ? { current: source, known: [source] } : source;

/**
 * Returns the result of the first key that does not throw.
 * @throws the current key's error if none succeeds
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
        // Sealed with another key.
      }
    }
    throw error;
  }
}
