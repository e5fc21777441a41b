import { decode as decodeBmp } from 'bmp-ts';
import { decode as decodeJpeg } from 'jpeg-js';
import { PNG } from 'pngjs';
import type { FacePhoto } from '../plug-ins/face-package.ts';
import { requirePlainPng } from './require-plain-png.ts';

const MAX_MEGAPIXELS = 25;
const MAX_DECODER_MEGABYTES = 512;

/**
 * Decodes a JPEG, PNG or BMP.
 * @throws when it is none, is damaged, or would unfold into too many pixels
 */
export function decodePhoto(bytes: Uint8Array): FacePhoto {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.subarray(0, 4).equals(PNG_SIGNATURE)) {
    // Width and height come first of all: nothing is unfolded before they are known.
    requireReasonable(buffer.readUInt32BE(16), buffer.readUInt32BE(20));
    requirePlainPng(buffer);
    const { width, height, data } = PNG.sync.read(buffer);
    return { width, height, rgba: data };
  }
  if (buffer.toString('latin1', 0, 2) === 'BM') {
    requireReasonable(buffer.readInt32LE(18), Math.abs(buffer.readInt32LE(22)));
    const { width, height, data } = decodeBmp(buffer, { toRGBA: true });
    return { width, height, rgba: opaque(data) };
  }
  const limits = { maxResolutionInMP: MAX_MEGAPIXELS, maxMemoryUsageInMB: MAX_DECODER_MEGABYTES };
  const { width, height, data } = decodeJpeg(buffer, { useTArray: true, ...limits });
  return { width, height, rgba: data };
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

function requireReasonable(width: number, height: number): void {
  if (width < 1 || height < 1 || width * height > MAX_MEGAPIXELS * 1_000_000) {
    throw new Error('invalid number of pixels');
  }
}

/** Ignores the alpha channel of BMP files. */
function opaque(rgba: Uint8Array): Uint8Array {
  for (let index = 3; index < rgba.length; index += 4) rgba[index] = 255;
  return rgba;
}
