import superjson, { type SuperJSONResult } from 'superjson';
import { refuse } from '@deviceportal/contract/refuse';

/** What JSON cannot hold and inputs of the API may: absent values, moments, and `NaN` or `-0`. */
const ALLOWED: ReadonlySet<unknown> = new Set(['undefined', 'Date', 'number']);

/**
 * An input as the client sent it. superjson's other annotations build big integers, typed arrays, regular expressions,
 * errors and shared references out of a caller's text; no input of the API holds any.
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
  // Shared references are left out: the text holds their value at each place.
  return superjson.deserialize({ json, meta: { values, ...(meta?.v === 1 && { v: 1 }) } });
}

/** A leaf is `[type]` or `[type, children]`, everything else an object of further annotations. */
function isAllowed(annotations: unknown): boolean {
  if (Array.isArray(annotations)) {
    const [type, children] = annotations as readonly unknown[];
    return ALLOWED.has(type) && children === undefined;
  }
  if (typeof annotations !== 'object' || annotations === null) return false;
  return Object.values(annotations).every(isAllowed);
}
