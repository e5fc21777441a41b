import { inflateSync } from 'node:zlib';

const SIGNATURE_BYTES = 8;
/** Length and type before the data, checksum after it. */
const CHUNK_HEAD_BYTES = 8;
const CHUNK_TAIL_BYTES = 4;
/** Of a pixel: four channels of 16 bits. */
const MOST_PIXEL_BYTES = 8;
/** Seven passes, each with a byte before every row (PNG, sections 8.2 and 9.2). */
const PASSES = 7;

/**
 * Rejects PNG files that the decoder would process beyond the size in their header: a second
 * header, which replaces the first one, and interlaced rows that decompress to more data than the
 * size requires.
 * @param png whose header has an acceptable size
 * @throws Error with the reason
 */
export function requirePlainPng(png: Buffer): void {
  const parts: Buffer[] = [];
  let headers = 0;
  for (let at = SIGNATURE_BYTES; at + CHUNK_HEAD_BYTES <= png.byteLength;) {
    const type = png.toString('latin1', at + 4, at + CHUNK_HEAD_BYTES);
    const end = at + CHUNK_HEAD_BYTES + png.readUInt32BE(at);
    if (type === 'IHDR') headers += 1;
    if (type === 'IDAT') parts.push(png.subarray(at + CHUNK_HEAD_BYTES, end));
    at = end + CHUNK_TAIL_BYTES;
  }
  if (headers !== 1) throw new Error('not exactly one header');
  const isInterlaced = png[28] !== 0;
  if (!isInterlaced) return;
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const maxOutputLength = width * height * MOST_PIXEL_BYTES + height * PASSES + PASSES;
  inflateSync(Buffer.concat(parts), { maxOutputLength });
}
