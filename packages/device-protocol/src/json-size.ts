/**
 * The approximate number of characters of a value as JSON. Escapes are not counted. Infinity if
 * objects and arrays are nested deeper than `maxDepth`.
 */
export function jsonSize(value: unknown, maxDepth: number): number {
  if (typeof value === 'string') return value.length + QUOTES;
  if (typeof value !== 'object' || value === null) return SCALAR;
  if (maxDepth <= 0) return Number.POSITIVE_INFINITY;
  let size = BRACES;
  if (Array.isArray(value)) {
    for (const item of value) size += jsonSize(item, maxDepth - 1) + SEPARATOR;
    return size;
  }
  for (const [key, item] of Object.entries(value)) {
    size += key.length + QUOTES + SEPARATOR + jsonSize(item, maxDepth - 1) + SEPARATOR;
  }
  return size;
}

const QUOTES = 2;
const BRACES = 2;
const SEPARATOR = 1;
/** Numbers, booleans and null. */
const SCALAR = 4;
