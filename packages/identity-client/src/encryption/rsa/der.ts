/** Minimal DER for RSA keys: lengths, integers, and constructed values. */
export interface DerValue {
  readonly tag: number;
  readonly content: Uint8Array;
  /** Offset of the next value. */
  readonly end: number;
}

export const SEQUENCE = 0x30;
export const INTEGER = 0x02;
export const BIT_STRING = 0x03;
export const OCTET_STRING = 0x04;

function readDer(bytes: Uint8Array, start = 0): DerValue {
  const tag = bytes[start];
  const first = bytes[start + 1];
  if (tag === undefined || first === undefined) throw new RangeError('DER is truncated');
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (lengthBytes > 4) throw new RangeError('DER is too long');
  const from = start + 2 + lengthBytes;
  const length =
    lengthBytes === 0
      ? first
      : bytes.slice(start + 2, from).reduce((sum, byte) => sum * 256 + byte, 0);
  if (from + length > bytes.length) throw new RangeError('DER is truncated');
  return { tag, content: bytes.slice(from, from + length), end: from + length };
}

/** All values of a sequence. */
export function readSequence(bytes: Uint8Array): readonly DerValue[] {
  const { tag, content } = readDer(bytes);
  if (tag !== SEQUENCE) throw new RangeError('DER sequence expected');
  const values: DerValue[] = [];
  for (let at = 0; at < content.length; at = values.at(-1)?.end ?? content.length) {
    values.push(readDer(content, at));
  }
  return values;
}

/** The content of the value at this index, which must have this tag. */
export function contentAt(
  values: readonly DerValue[],
  index: number,
  expected: number,
): Uint8Array {
  const value = values[index];
  if (value?.tag !== expected) throw new RangeError('Unexpected DER value');
  return value.content;
}
