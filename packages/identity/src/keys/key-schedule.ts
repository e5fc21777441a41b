/** Determines when a key signs and how long it is published. */
export interface ScheduledKey {
  readonly kid: string;
  /** Each use has a signing key of its own. */
  readonly use: string;
  readonly signsFrom: Date;
  /** The longest life that tokens of this key ever had. */
  readonly longestTokenSeconds: number;
}

/** Servers whose clocks differ by less may sign with the older key a little longer. */
const CLOCK_SKEW_MS = 300_000;

/** The key that signs: the newest whose time has come. Every server finds the same one, from the same rows. */
export function signingKeyAt<Key extends ScheduledKey>(
  keys: readonly Key[],
  use: string,
  nowMs: number,
): Key | undefined {
  const inOrder = keysOfUse(keys, use);
  return inOrder.findLast((key) => key.signsFrom.getTime() <= nowMs) ?? inOrder[0];
}

/** Keys whose last token has expired and that no verifier needs. */
export function endedKeysAt<Key extends ScheduledKey>(keys: readonly Key[], nowMs: number): Key[] {
  return keys.filter((key) => {
    const inOrder = keysOfUse(keys, key.use);
    const successor = inOrder[inOrder.findIndex(({ kid }) => kid === key.kid) + 1];
    if (successor === undefined) return false;
    const lastTokenMs = successor.signsFrom.getTime() + key.longestTokenSeconds * 1_000;
    return lastTokenMs + CLOCK_SKEW_MS <= nowMs;
  });
}

/**
 * Published keys in the given order: those that sign, will sign, or whose tokens can still be
 * valid.
 */
export function publishedKeysAt<Key extends ScheduledKey>(
  keys: readonly Key[],
  nowMs: number,
): Key[] {
  const ended = new Set(endedKeysAt(keys, nowMs).map(({ kid }) => kid));
  return keys.filter(({ kid }) => !ended.has(kid));
}

/** Whether a new key is wanted: none waits to sign, and the newest is at least as old as said. */
export function isRotationDue(
  keys: readonly ScheduledKey[],
  use: string,
  when: { readonly nowMs: number; readonly ageMs: number },
): boolean {
  const newest = keysOfUse(keys, use).at(-1);
  if (newest === undefined) return true;
  const signsFromMs = newest.signsFrom.getTime();
  return signsFromMs <= when.nowMs && when.nowMs - signsFromMs >= when.ageMs;
}

function keysOfUse<Key extends ScheduledKey>(keys: readonly Key[], use: string): Key[] {
  return keys
    .filter((key) => key.use === use)
    .toSorted(
      (left, right) =>
        left.signsFrom.getTime() - right.signsFrom.getTime() || (left.kid < right.kid ? -1 : 1),
    );
}
