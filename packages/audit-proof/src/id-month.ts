/** Month (UTC) in which a UUIDv7 was generated: `2026-08`. */
export function monthOfId(id: string): string {
  const ms = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  return new Date(Math.min(ms, MAX_DATE_MS)).toISOString().slice(0, 7);
}

/** ECMA-262, section 21.4.1.1. */
const MAX_DATE_MS = 8.64e15;
