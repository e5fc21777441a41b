import type { ErrorName } from '@deviceportal/contract/errors';

/** Errors after which nobody knows whether the run was made. */
const unknownOutcome: ReadonlySet<ErrorName> = new Set(['unknown', 'httpUnknown', 'noConnection']);

export interface IdempotencyKeys {
  /** The key for sending this; the same one again while its outcome is not known. */
  readonly keyFor: (input: unknown) => string;
  /** The call has ended: with a run, or with an error. */
  readonly settle: (error: ErrorName | null) => void;
}

/**
 * One key per press. A press that got no answer keeps its key for the same input, so that pressing again cannot make
 * a second run; anything else gets a new one.
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
