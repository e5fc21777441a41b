import { z } from 'zod';
import { refuse } from '@deviceportal/contract/refuse';
import { decodeCursor, encodeCursor } from './keyset-cursor.ts';

/** Position of a page that is sorted by a timestamp and an ID. */
export interface MomentCursor {
  /** PostgreSQL's text format, which preserves microseconds. */
  readonly at: string;
  readonly id: string;
}

/** PostgreSQL's text format of a timestamp. */
export const timestampTextSchema = z
  .string()
  .regex(/^\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?[+-]\d\d(:\d\d)?$/);

export function encodeMomentCursor(cursor: MomentCursor): string {
  return encodeCursor([cursor.at, cursor.id]);
}

/** @throws PortalError 2004 if the text is not a valid cursor */
export function decodeMomentCursor(
  cursor: string | null,
  idSchema: z.ZodType<string> = z.uuid(),
): MomentCursor | null {
  if (cursor === null) return null;
  const [at, id] = decodeCursor(cursor, 2);
  const parsed = z.object({ at: timestampTextSchema, id: idSchema }).safeParse({ at, id });
  if (parsed.success) return parsed.data;
  throw refuse('cursor-invalid', { field: 'cursor' });
}

/** The wire format of a timestamp that the driver returned as text. */
export function isoOf(value: string | Date): string {
  return new Date(value).toISOString();
}

export function isoOrNull(value: string | Date | null): string | null {
  return value === null ? null : isoOf(value);
}
