import { z } from 'zod';
import type { ProviderContext } from '../provider/provider-context.ts';
import { MAX_PICTURE_BYTES, type Uploads } from '../uploads/uploads.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { faceRefusals } from './face-refusals.ts';

const FETCH_MS = 10_000;

/** An uploaded photo, by the key that the upload answered. @throws ProviderError noPhoto */
export async function readUploadedPhoto(uploads: Uploads, key: string): Promise<Uint8Array> {
  const upload = z.uuid().safeParse(key).success
    ? await uploads.open('face-photo', key)
    : undefined;
  if (upload === undefined) throw new ProviderError(faceRefusals.noPhoto);
  return joined(upload.parts());
}

/**
 * A photo elsewhere. The server asks no address that the operator has not named: requests of others must not reach
 * what only this machine can.
 * @throws ProviderError addressNotAllowed, noPhoto
 */
export async function fetchPhoto(
  { settings }: Pick<ProviderContext, 'settings'>,
  address: string,
): Promise<Uint8Array> {
  const url = URL.parse(address);
  if (url === null || !settings.photoOrigins.includes(url.origin)) {
    throw new ProviderError(faceRefusals.addressNotAllowed);
  }
  try {
    const signal = AbortSignal.timeout(FETCH_MS);
    const reply = await fetch(url, { redirect: 'error', credentials: 'omit', signal });
    if (!reply.ok || reply.body === null) throw new Error(`status ${reply.status}`);
    return await joined(reply.body);
  } catch {
    throw new ProviderError(faceRefusals.noPhoto);
  }
}

async function joined(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of parts) {
    bytes += chunk.byteLength;
    if (bytes > MAX_PICTURE_BYTES) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
