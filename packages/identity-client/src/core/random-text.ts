const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/**
 * The largest multiple of the alphabet's length within a byte. Larger values are discarded, because
 * they would make some characters more likely.
 */
const FAIR = 256 - (256 % ALPHABET.length);

/**
 * Random letters and digits from the platform's secure generator, for states, nonces, verifiers,
 * and ids.
 */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < FAIR && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}
