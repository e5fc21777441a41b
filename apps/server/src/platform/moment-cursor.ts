import { z } from 'zod';
import { refuse } from '@deviceportal/contract/refuse';
import { decodeCursor, encodeCursor } from './keyset-cursor.ts';

/** Where a page that is sorted by a moment and an id goes on. */
export interface MomentCursor {
  /** PostgreSQL's own text, so that microseconds survive. */
  readonly at: string;
  readonly id: string;
}

const momentSchema = z.string().regex(/^\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?[+-]\d\d(:\d\d)?$/);

export function encodeMomentCursor(cursor: MomentCursor): string {
  return encodeCursor([cursor.at, cursor.id]);
}

/** @throws PortalError 2004 when the text is no such cursor */
export function decodeMomentCursor(
  cursor: string | null,
  idSchema: z.ZodType<string> = z.uuid(),
): MomentCursor | null {
  if (cursor === null) return null;
  const [at, id] = decodeCursor(cursor, 2);
  const parsed = z.object({ at: momentSchema, id: idSchema }).safeParse({ at, id });
  if (parsed.success) return parsed.data;
  throw refuse('cursor-invalid', { field: 'cursor' });
}

/** The wire form of a timestamp that the driver gave as PostgreSQL's text. */
export function isoOf(value: string | Date): string {
  return new Date(value).toISOString();
}

export function isoOrNull(value: string | Date | null): string | null {
  return value === null ? null : isoOf(value);
}
