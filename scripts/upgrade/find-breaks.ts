import type { Schema } from './read-schema.ts';

/** Parts that do not restrict what servers write, but that their statements name. */
const RELIED_ON = /^(?:table|sequence|column|function|type|unique|privilege) /;
/** Parts that reject rows. */
const RESTRICTS = /^(?:not null|constraint|unique|trigger) ([^\s:]+)/;

/**
 * What a release before would fail on: parts of its schema that are gone or have changed, and new
 * rules on its tables.
 */
export function findBreaks(before: Schema, after: Schema): readonly string[] {
  const gone = [...before].flatMap(([part, text]) => {
    if (!RELIED_ON.test(part)) return [];
    const now = after.get(part);
    if (now === undefined) return [`dropped or renamed: ${part}`];
    return now === text ? [] : [`changed from ${text} to ${now}: ${part}`];
  });
  const added = [...after.keys()]
    .filter((part) => !before.has(part) && isOfTableBefore(part, before))
    .map((part) => `new rule: ${part}`);
  return [...gone, ...added].toSorted();
}

function isOfTableBefore(part: string, before: Schema): boolean {
  const [, name = ''] = RESTRICTS.exec(part) ?? [];
  const table = part.startsWith('not null') ? name.replace(/\.[^.]+$/, '') : name;
  return before.has(`table ${table}`);
}
