import type { ByteRange } from '../files/file-store.ts';

/**
 * One range of a file of the given size (RFC 9110, section 14.2). Null: the whole file, also for an invalid header or
 * several ranges, which a server may ignore. `unsatisfiable`: 416.
 */
export function readByteRange(
  header: string | undefined,
  bytes: number,
): ByteRange | 'unsatisfiable' | null {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  const [, first = '', last = ''] = found ?? [];
  if (found === null || (first === '' && last === '')) return null;
  if (first === '') {
    // The last bytes of the file.
    const wanted = Number(last);
    if (wanted === 0 || bytes === 0) return 'unsatisfiable';
    return { start: Math.max(0, bytes - wanted), end: bytes - 1 };
  }
  const start = Number(first);
  const end = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= bytes ? 'unsatisfiable' : { start, end };
}
