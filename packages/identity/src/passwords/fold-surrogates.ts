/**
 * Converts CESU-8 to UTF-8: clients of the contract encode a character outside the basic plane as
 * two surrogates of three bytes each (identity-sdk.md, section 6). Other bytes are not changed.
 */
export function foldSurrogates(bytes: Uint8Array): Uint8Array {
  const folded: number[] = [];
  for (let index = 0; index < bytes.length; index += 1) {
    const high = surrogateAt(bytes, index, 0xa0);
    const low = high === undefined ? undefined : surrogateAt(bytes, index + 3, 0xb0);
    if (high === undefined || low === undefined) {
      folded.push(bytes[index] ?? 0);
      continue;
    }
    folded.push(...new TextEncoder().encode(String.fromCharCode(0xd800 | high, 0xdc00 | low)));
    index += 5;
  }
  return Uint8Array.from(folded);
}

/** The lower ten bits of a surrogate written as `ED xx yy`, when one of that half begins here. */
function surrogateAt(bytes: Uint8Array, index: number, half: 0xa0 | 0xb0): number | undefined {
  const [first, second, third] = bytes.subarray(index, index + 3);
  if (first !== 0xed || second === undefined || third === undefined) return undefined;
  if ((second & 0xf0) !== half || (third & 0xc0) !== 0x80) return undefined;
  return ((second & 0x0f) << 6) | (third & 0x3f);
}
