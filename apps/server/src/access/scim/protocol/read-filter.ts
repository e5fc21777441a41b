import { invalid } from './scim-error.ts';

/** `attribute eq value`. */
export interface Comparison {
  /** In lowercase, without the URN of the core schema and without a value path: `emails.value`. */
  readonly attribute: string;
  readonly value: string | boolean;
}

const MOST_CHARACTERS = 2_000;
const comparison =
  /^\s*([A-Za-z][\w:.$-]*?)(\[[^\]]*\])?(\.[A-Za-z$]\w*)?\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*/i;
const conjunction = /^and\s+/i;
const coreSchema = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;

/**
 * Parses the filters that directories use to find a user or group: comparisons with `eq`, joined by `and`.
 * @throws ScimError 400 invalidFilter for all other filters
 */
export function readFilter(filter: string): Comparison[] {
  if (filter.length > MOST_CHARACTERS) throw unsupported();
  const found: Comparison[] = [];
  for (let rest = filter; ;) {
    const match = comparison.exec(rest);
    if (match === null) throw unsupported();
    const [whole, attribute = '', , sub = '', value = ''] = match;
    found.push({
      attribute: `${attribute}${sub}`.replace(coreSchema, '').toLowerCase(),
      value: readValue(value),
    });
    rest = rest.slice(whole.length);
    if (rest === '') return found;
    if (!conjunction.test(rest)) throw unsupported();
    rest = rest.replace(conjunction, '');
  }
}

function readValue(text: string): string | boolean {
  try {
    const value: unknown = JSON.parse(text.startsWith('"') ? text : text.toLowerCase());
    if (typeof value === 'string' || typeof value === 'boolean') return value;
  } catch {
    // Falls through: an escape that JSON does not have.
  }
  throw unsupported();
}

const unsupported = () =>
  invalid('Filters are comparisons with eq, joined by and: userName eq "ana".', 'invalidFilter');
