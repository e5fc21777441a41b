import type { UserValue } from './user-value.ts';

/** Converts a text to its declared type. A text that cannot be converted is returned unchanged. */
export function toTypedValue(dataType: unknown, value: unknown): UserValue {
  if (typeof value !== 'string') return (value ?? null) as UserValue;
  if (dataType === 'DATETIME') return toDate(value);
  if (dataType === 'NUMBER' || dataType === 'BOOLEAN' || dataType === 'OBJECT') {
    return parse(value);
  }
  return value;
}

/** Parses milliseconds since 1970 or a date text. */
function toDate(text: string): UserValue {
  const date = new Date(/^-?\d+$/.test(text) ? Number(text) : text);
  return Number.isNaN(date.getTime()) ? text : date;
}

function parse(text: string): UserValue {
  try {
    return JSON.parse(text) as UserValue;
  } catch {
    return text;
  }
}
