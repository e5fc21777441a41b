const NEW_LINE = 0x0a;

/**
 * Lines of a byte stream, without line ends. Only `
 * ` ends a line, because COPY escapes all other separators.
 */
export async function* readLines(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of source) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEW_LINE, start);
      if (end === -1) break;
      const piece = chunk.subarray(start, end);
      yield rest.length === 0 ? piece : Buffer.concat([...rest, piece]);
      rest = [];
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
  if (rest.length > 0) yield Buffer.concat(rest);
}
