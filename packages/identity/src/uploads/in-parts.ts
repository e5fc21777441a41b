/** Joins and cuts chunks of any size into parts of one size; the last one may be smaller. */
export async function* inParts(
  chunks: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<Uint8Array, void> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    heldBytes += chunk.byteLength;
    if (heldBytes < partBytes) continue;
    const joined = Buffer.concat(held);
    const whole = joined.byteLength - (joined.byteLength % partBytes);
    for (let start = 0; start < whole; start += partBytes) {
      yield joined.subarray(start, start + partBytes);
    }
    held = [joined.subarray(whole)];
    heldBytes = joined.byteLength - whole;
  }
  if (heldBytes > 0) yield Buffer.concat(held);
}
