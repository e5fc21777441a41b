import { refuse } from '@deviceportal/contract/refuse';
import type { ByteRange } from '../files/file-store.ts';

/**
 * The part of a file in an upload, by its `Content-Range`; the whole file without one.
 * @throws PortalError 2004 for a part that does not belong to this file
 */
export function readPiece(header: string | undefined, bytes: number): ByteRange {
  if (header === undefined) return { start: 0, end: bytes - 1 };
  const [, start, end, total] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(header) ?? [];
  const piece = { start: Number(start), end: Number(end) };
  const fits = piece.start <= piece.end && piece.end < bytes && Number(total) === bytes;
  if (fits) return piece;
  throw refuse('upload-range-invalid', { facts: { bytes } });
}
