import { inflateSync } from 'node:zlib';

const WOFF_HEADER = 44;
const WOFF_ENTRY = 20;
const SFNT_HEADER = 12;
const SFNT_ENTRY = 16;

/**
 * Extracts the font from a WOFF file (WOFF 1.0, sections 4 and 5). The PDF library can read WOFF, but decompresses a
 * table again for each glyph.
 */
export function sfntOfWoff(woff: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const count = woff.readUInt16BE(12);
  let end = SFNT_HEADER + SFNT_ENTRY * count;
  const head = Buffer.alloc(end);
  writeHeader(head, woff.readUInt32BE(4), count);
  const parts = [head];
  for (let index = 0; index < count; index += 1) {
    const from = WOFF_HEADER + WOFF_ENTRY * index;
    const to = SFNT_HEADER + SFNT_ENTRY * index;
    const [offset, packed, length] = [4, 8, 12].map((at) => woff.readUInt32BE(from + at)) as [
      number,
      number,
      number,
    ];
    const raw = woff.subarray(offset, offset + packed);
    const padding = (4 - (length % 4)) % 4;
    woff.copy(head, to, from, from + 4);
    head.writeUInt32BE(woff.readUInt32BE(from + 16), to + 4);
    head.writeUInt32BE(end, to + 8);
    head.writeUInt32BE(length, to + 12);
    parts.push(packed < length ? inflateSync(raw) : raw, Buffer.alloc(padding));
    end += length + padding;
  }
  return Buffer.concat(parts);
}

function writeHeader(head: Buffer, flavor: number, count: number): void {
  const power = Math.floor(Math.log2(count));
  const range = 2 ** power * 16;
  head.writeUInt32BE(flavor, 0);
  head.writeUInt16BE(count, 4);
  head.writeUInt16BE(range, 6);
  head.writeUInt16BE(power, 8);
  head.writeUInt16BE(count * 16 - range, 10);
}
