import { refuse } from '@deviceportal/contract/refuse';

/** The sort values of a page's last row, as one opaque text. */
export function encodeCursor(values: readonly (string | null)[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** The values of a cursor, all undefined for the first page; a garbled one is 2004. */
export function decodeCursor(cursor: string | null, length: number): (string | undefined)[] {
  if (cursor === null) return [];
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const whole =
      Array.isArray(values) &&
      values.length === length &&
      values.every((value) => value === null || typeof value === 'string');
    if (whole) return values.map((value: string | null) => value ?? undefined);
  } catch {
    // Answered below like any other wrong cursor.
  }
  throw refuse('cursor-invalid', { field: 'cursor' });
}
