import superjson, { type SuperJSONResult } from 'superjson';
import { refuse } from '@deviceportal/contract/refuse';

/**
 * Types that JSON cannot represent and API inputs can contain: undefined values, dates, and `NaN`
 * or `-0`.
 */
const ALLOWED: ReadonlySet<unknown> = new Set(['undefined', 'Date', 'number']);

/**
 * Parses an input. Other superjson annotations create big integers, typed arrays, regular
 * expressions, errors, and shared references from a client's text; no API input uses them.
 *
 * @throws PortalError 2004
 */
export function readInput(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('json' in input)) return undefined;
  const { json, meta } = input as Pick<SuperJSONResult, 'json' | 'meta'>;
  const values = meta?.values;
  if (values === undefined) return json;
  if (!isAllowed(values)) {
    throw refuse('input-type-unknown');
  }
  // Shared references are dropped: the JSON contains their value at each position.
  return superjson.deserialize({ json, meta: { values, ...(meta?.v === 1 && { v: 1 }) } });
}

/** A leaf is `[type]` or `[type, children]`; anything else is an object of further annotations. */
function isAllowed(annotations: unknown): boolean {
  if (Array.isArray(annotations)) {
    const [type, children] = annotations as readonly unknown[];
    return ALLOWED.has(type) && children === undefined;
  }
  if (typeof annotations !== 'object' || annotations === null) return false;
  return Object.values(annotations).every(isAllowed);
}
