import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { decode, encode } from 'jpeg-js';

const require = createRequire(new URL('../../../../identity-face/package.json', import.meta.url));

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Faces of two people in the photos that come with the models. */
const SAMPLE = 'sample1.jpg';
export const one: Area = { x: 300, y: 220, width: 400, height: 520 };
export const other: Area = { x: 1_370, y: 60, width: 400, height: 520 };

/** A part of a photo, brighter or darker than it was. */
export async function photoOf(area: Area | undefined, brightness = 1): Promise<Uint8Array> {
  const file = await readFile(require.resolve(`@vladmandic/face-api/demo/${SAMPLE}`));
  const { width, height, data } = decode(file, { useTArray: true });
  const { x, y, width: wide, height: high } = area ?? { x: 0, y: 0, width, height };
  const cut = new Uint8Array(wide * high * 4);
  for (let row = 0; row < high; row += 1) {
    const start = ((y + row) * width + x) * 4;
    cut.set(data.subarray(start, start + wide * 4), row * wide * 4);
  }
  const lit = cut.map((value, index) =>
    index % 4 === 3 ? 255 : Math.min(255, value * brightness),
  );
  return encode({ width: wide, height: high, data: lit }, 90).data;
}
