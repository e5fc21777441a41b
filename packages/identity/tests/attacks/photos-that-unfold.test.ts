import { constants, crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { decodePhoto } from '../../src/face/decode-photo.ts';

const MIB = 1_024 * 1_024;
/** What `process.memoryUsage` may tell after a photo of a few pixels. */
const LITTLE_BYTES = 32 * MIB;

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.byteLength);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

function header(side: number, { isInterlaced = false } = {}): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(side, 0);
  data.writeUInt32BE(side, 4);
  // 8 bits, red, green, blue and alpha.
  data.set([8, 6, 0, 0, isInterlaced ? 1 : 0], 8);
  return chunk('IHDR', data);
}

const pngOf = (...chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...chunks,
    chunk('IEND', Buffer.alloc(0)),
  ]);

const rows = (bytes: number): Buffer =>
  chunk('IDAT', deflateSync(Buffer.alloc(bytes), { level: constants.Z_BEST_COMPRESSION }));

/** How much more memory was taken, at the most that was seen, while the photo was refused. */
function costOf(photo: Uint8Array): { readonly isRefused: boolean; readonly bytes: number } {
  const before = process.resourceUsage().maxRSS;
  let isRefused = false;
  try {
    decodePhoto(photo);
  } catch {
    isRefused = true;
  }
  return { isRefused, bytes: (process.resourceUsage().maxRSS - before) * 1_024 };
}

test('an interlaced photo of one pixel cannot exhaust memory', () => {
  const photo = pngOf(header(1, { isInterlaced: true }), rows(512 * MIB));
  expect(photo.byteLength).toBeLessThan(MIB);
  const { isRefused, bytes } = costOf(photo);
  expect(isRefused).toBe(true);
  expect(bytes).toBeLessThan(LITTLE_BYTES);
});

test('a second header cannot turn a small photo into a huge one', () => {
  const side = 12_000;
  const photo = pngOf(header(1), header(side), rows((4 * side + 1) * side));
  expect(photo.byteLength).toBeLessThan(MIB);
  const { isRefused, bytes } = costOf(photo);
  expect(isRefused).toBe(true);
  expect(bytes).toBeLessThan(LITTLE_BYTES);
});

test('photos of cameras and image editors are read, including interlaced ones', () => {
  const plain = PNG.sync.write(new PNG({ width: 5, height: 3 }));
  expect(decodePhoto(plain)).toMatchObject({ width: 5, height: 3 });
  // Eight by eight in seven passes: 64 pixels, and a byte before each of their 15 rows.
  const interlaced = pngOf(header(8, { isInterlaced: true }), rows(64 * 4 + 15));
  expect(decodePhoto(interlaced)).toMatchObject({ width: 8, height: 8 });
});
