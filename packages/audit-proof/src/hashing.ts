/** Synchronous SHA-256. A promise for each of the many small hashes of a tree would be slower. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

const encoder = new TextEncoder();
/** Reused buffer; each hash is computed synchronously. */
let scratch = new Uint8Array(16 * 1_024);

/** SHA-256 of a type byte and a UTF-8 text. Hashes of different types never match. */
export function hashText(sha256: Sha256, kind: number, text: string): Uint8Array {
  const needed = 1 + text.length * 3;
  if (scratch.length < needed) scratch = new Uint8Array(needed);
  // The type is encoded as a one-byte character, which avoids another view of the buffer.
  const { written } = encoder.encodeInto(String.fromCodePoint(kind) + text, scratch);
  return sha256(scratch.subarray(0, written));
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index += 1) {
    if (one[index] !== other[index]) return false;
  }
  return true;
}

const hexOf = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += hexOf[byte]!;
  return text;
}

/** @param text an even number of hexadecimal digits */
export function fromHex(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length / 2);
  for (let index = 0; index < bytes.length; index += 1) {
    bytes[index] = Number.parseInt(text.slice(index * 2, index * 2 + 2), 16);
  }
  return bytes;
}

/** @param text base64url, with or without padding */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (character) => character.codePointAt(0) ?? 0);
}
