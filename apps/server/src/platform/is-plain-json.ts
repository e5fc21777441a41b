/** Names that SuperJSON rejects. */
const DANGEROUS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Whether SuperJSON would write a value as it is: a tree of plain objects, arrays, texts, finite numbers, truth values,
 * and nulls, in which no object occurs twice. SuperJSON copies each part of a value and compares it with fifteen kinds,
 * which takes a third of the time of a page of a list.
 */
export function isPlainJson(value: unknown): boolean {
  return isPlain(value, new Set());
}

function isPlain(value: unknown, seen: Set<object>): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0);
    case 'object':
      return value === null || isPlainTree(value, seen);
    default:
      return false;
  }
}

function isPlainTree(value: object, seen: Set<object>): boolean {
  if (seen.has(value)) return false;
  seen.add(value);
  if (Array.isArray(value)) return value.every((each) => isPlain(each, seen)) && isDense(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const [name, each] of Object.entries(value)) {
    if (DANGEROUS.has(name) || !isPlain(each, seen)) return false;
  }
  return true;
}

/** `every` skips the gaps of an array. */
const isDense = (value: readonly unknown[]): boolean => Object.keys(value).length === value.length;
