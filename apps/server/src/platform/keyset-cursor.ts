import { refuse } from '@deviceportal/contract/refuse';

/** Encodes the sort values of a page's last row as an opaque text. */
export function encodeCursor(values: readonly (string | null)[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** Decodes a cursor, all undefined for the first page. A malformed cursor is 2004. */
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
    // Handled below like any other malformed cursor.
  }
  throw refuse('cursor-invalid', { field: 'cursor' });
}
