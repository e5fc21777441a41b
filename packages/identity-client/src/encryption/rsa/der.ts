/** Just enough DER to read and write RSA keys: lengths, integers and what encloses them. */
export interface DerValue {
  readonly tag: number;
  readonly content: Uint8Array;
  /** Where the next value begins. */
  readonly end: number;
}

export const SEQUENCE = 0x30;
export const INTEGER = 0x02;
export const BIT_STRING = 0x03;
export const OCTET_STRING = 0x04;

function readDer(bytes: Uint8Array, start = 0): DerValue {
  const tag = bytes[start];
  const first = bytes[start + 1];
  if (tag === undefined || first === undefined) throw new RangeError('DER ends too early');
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (lengthBytes > 4) throw new RangeError('DER is too long');
  const from = start + 2 + lengthBytes;
  const length =
    lengthBytes === 0
      ? first
      : bytes.slice(start + 2, from).reduce((sum, byte) => sum * 256 + byte, 0);
  if (from + length > bytes.length) throw new RangeError('DER ends too early');
  return { tag, content: bytes.slice(from, from + length), end: from + length };
}

/** All values side by side in a sequence. */
export function readSequence(bytes: Uint8Array): readonly DerValue[] {
  const { tag, content } = readDer(bytes);
  if (tag !== SEQUENCE) throw new RangeError('A DER sequence is missing');
  const values: DerValue[] = [];
  for (let at = 0; at < content.length; at = values.at(-1)?.end ?? content.length) {
    values.push(readDer(content, at));
  }
  return values;
}

/** The content of the value with this tag at this place. */
export function contentAt(
  values: readonly DerValue[],
  index: number,
  expected: number,
): Uint8Array {
  const value = values[index];
  if (value?.tag !== expected) throw new RangeError('The DER holds something else');
  return value.content;
}
