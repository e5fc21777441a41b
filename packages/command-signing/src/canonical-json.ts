import { hash } from 'node:crypto';

/**
 * Canonical JSON (RFC 8785): object members sorted by the UTF-16 code units of their names, no
 * white space, numbers and strings as in ECMAScript. Undefined members are omitted.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonicalJson(item === undefined ? null : item)).join(',')}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    // Names within an object are unique.
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`);
  return `{${members.join(',')}}`;
}

/** SHA-256 over the canonical form, hexadecimal. */
export function canonicalSha256(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'hex');
}
