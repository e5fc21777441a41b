const ID_BYTES = 16;

/** Device IDs from their bytes: 16 for each. */
export function deviceIdsOf(bytes: Buffer): string[] {
  return Array.from({ length: bytes.byteLength / ID_BYTES }, (_, index) => {
    const hex = bytes.toString('hex', index * ID_BYTES, (index + 1) * ID_BYTES);
    const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
    return [...parts, hex.slice(20)].join('-');
  });
}

/** The same in groups of at most `size` IDs, from the device at `from` on. */
export function* deviceIdGroups(
  bytes: Buffer,
  { from, size }: { readonly from: number; readonly size: number },
): Generator<string[]> {
  for (let at = from * ID_BYTES; at < bytes.byteLength; at += size * ID_BYTES)
    yield deviceIdsOf(bytes.subarray(at, at + size * ID_BYTES));
}
