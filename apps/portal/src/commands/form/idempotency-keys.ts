import type { ErrorName } from '@deviceportal/contract/errors';

/** Errors after which it is unknown whether the run was created. */
const unknownOutcome: ReadonlySet<ErrorName> = new Set(['unknown', 'httpUnknown', 'noConnection']);

export interface IdempotencyKeys {
  /** The key for an input. The same key is returned while the outcome is unknown. */
  readonly keyFor: (input: unknown) => string;
  /** Records the outcome of the call: a run, or an error. */
  readonly settle: (error: ErrorName | null) => void;
}

/**
 * Creates one key per press. A press without a response keeps its key for the same input, so that a
 * retry cannot create a second run. Any other press gets a new key.
 */
export function createIdempotencyKeys(
  newKey: () => string = () => crypto.randomUUID(),
): IdempotencyKeys {
  let held: { readonly input: string; readonly key: string } | null = null;
  return {
    keyFor(input) {
      const text = JSON.stringify(input);
      if (held?.input !== text) held = { input: text, key: newKey() };
      return held.key;
    },
    settle(error) {
      if (error === null || !unknownOutcome.has(error)) held = null;
    },
  };
}
