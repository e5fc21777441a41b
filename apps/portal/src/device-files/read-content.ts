/** What the bytes of a file are, so that nothing but text and images is shown. */

export type FileKind =
  | { readonly kind: 'text'; readonly text: string; readonly encoding: TextEncoding }
  | { readonly kind: 'image'; readonly type: ImageType }
  | { readonly kind: 'binary' };

export type TextEncoding = 'UTF-8' | 'UTF-16LE' | 'UTF-16BE' | 'Windows-1252';
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/bmp';

/**
 * Images by their first bytes. Not SVG, which can contain scripts and is shown as text.
 */
export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  const head = String.fromCodePoint(...bytes.subarray(0, 12));
  if (head.startsWith('\u0089PNG\r\n\u001A\n')) return 'image/png';
  if (head.startsWith('\u00FF\u00D8\u00FF')) return 'image/jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp';
  if (head.startsWith('BM') && bytes.length > 26 && bytes[10] !== undefined && bytes[14] === 40)
    return 'image/bmp';
  return null;
}

/** @param isCut whether the bytes may begin or end within a character */
export function readContent(bytes: Uint8Array, isCut: boolean): FileKind {
  const type = imageTypeOf(bytes);
  if (type !== null) return { kind: 'image', type };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decoded(bytes, 'UTF-16LE');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decoded(bytes, 'UTF-16BE');
  const text = decodeUtf8(isCut ? withoutCutCharacters(bytes) : bytes);
  if (text !== null && !hasControls(text)) return { kind: 'text', text, encoding: 'UTF-8' };
  if (text !== null) return { kind: 'binary' };
  const western = decoded(bytes, 'Windows-1252');
  return hasControls(western.text) ? { kind: 'binary' } : western;
}

function decoded(bytes: Uint8Array, encoding: TextEncoding) {
  return { kind: 'text', text: new TextDecoder(encoding).decode(bytes), encoding } as const;
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0xc0) === 0x80;

/** UTF-8 (RFC 3629): a character has at most three bytes after its first one. */
function withoutCutCharacters(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start += 1;
  let end = bytes.length;
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    if (needed > back) end = bytes.length - back;
    break;
  }
  return bytes.subarray(start, Math.max(start, end));
}

const TEXT_CONTROLS = new Set([...'\t\n\f\r\u001B']);

/** Other than tab, line ends, form feed, and escape sequences of terminals. */
const hasControls = (text: string): boolean =>
  [...text].some((character) => character < ' ' && !TEXT_CONTROLS.has(character));
