/** Shorter ones would hide ordinary output and protect nothing. */
const MIN_SECRET_CHARACTERS = 4;

/**
 * Text with every secret replaced by bullets, one for each UTF-16 unit, so that offsets into a stream stay true.
 * A beginning of a secret at the very end is hidden too: the rest may be in the next piece.
 */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const secret of relevant(secrets)) {
    masked = masked.replaceAll(secret, (found) => '•'.repeat(found.length));
    const begun = lengthOfBeginning(masked, secret);
    if (begun > 0) masked = masked.slice(0, -begun) + '•'.repeat(begun);
  }
  return masked;
}

/** How much of a stream before an offset must be looked at to find secrets that reach over it. */
export function maskOverlap(secrets: readonly string[]): number {
  return Math.max(0, ...relevant(secrets).map((secret) => secret.length - 1));
}

/** Longest first: one secret may be part of another. Lines count by themselves, for output is often indented. */
function relevant(secrets: readonly string[]): string[] {
  return [...new Set(secrets.flatMap((secret) => [secret, ...secret.split(/\r?\n/)]))]
    .filter((secret) => secret.length >= MIN_SECRET_CHARACTERS)
    .toSorted((one, other) => other.length - one.length);
}

function lengthOfBeginning(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length > 2; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
}
