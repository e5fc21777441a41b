/** Selections of the contract have four levels, with arguments and lists in them fewer than this. */
const MOST_BRACKETS = 64;

/** Looked at before the text is parsed: the parser calls itself for each level, and its stack is finite. */
export function isNestedTooDeep(query: string): boolean {
  let open = 0;
  for (const [bracket] of query.matchAll(/[{}()[\]]/g)) {
    open += '{(['.includes(bracket) ? 1 : -1;
    if (open > MOST_BRACKETS) return true;
  }
  return false;
}
