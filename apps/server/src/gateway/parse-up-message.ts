import { safeParse } from '@deviceportal/contract/safe-parse';
import type { z } from 'zod';
import { storableText } from './storable-text.ts';

export type ParsedUp<Message> =
  | { readonly message: Message; readonly fault?: undefined }
  | { readonly message?: undefined; readonly fault: string };

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a device's JSON. NUL characters and lone surrogates, which JSON can contain and PostgreSQL cannot store,
 * become U+FFFD one for one, so that offsets into output stay correct.
 * @param isPlain inexpensive check that is true for most messages that the schema accepts unchanged
 */
export function parseUpMessage<Schema extends z.ZodType>(
  schema: Schema,
  payload: Uint8Array,
  isPlain?: (value: unknown) => value is z.infer<Schema>,
): ParsedUp<z.infer<Schema>> {
  let value: unknown;
  try {
    const text = decoder.decode(payload);
    value = text.includes('\\u') ? JSON.parse(text, cleanText) : JSON.parse(text);
  } catch (error) {
    return { fault: error instanceof SyntaxError ? 'not JSON' : 'not UTF-8' };
  }
  if (isPlain?.(value)) return { message: value };
  const parsed = safeParse(schema, value);
  if (parsed.success) return { message: parsed.data };
  const [issue] = parsed.error.issues;
  return {
    fault: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`.slice(0, 200),
  };
}

function cleanText(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const keys = Object.keys(value);
  if (keys.every((key) => storableText(key) === key)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storableText(key), item]));
}
