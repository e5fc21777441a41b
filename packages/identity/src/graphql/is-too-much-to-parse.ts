/** The longest operation of the contract has 1,600; parsed, a text takes a hundred times its size. */
const MOST_CHARACTERS = 16_384;
/** Selections of the contract have four levels, with arguments and lists in them fewer than this. */
const MOST_BRACKETS = 64;

/** Checked before parsing, because the parser is recursive and its stack is limited. */
export function isTooMuchToParse(query: string): boolean {
  if (query.length > MOST_CHARACTERS) return true;
  let open = 0;
  for (const [bracket] of query.matchAll(/[{}()[\]]/g)) {
    open += '{(['.includes(bracket) ? 1 : -1;
    if (open > MOST_BRACKETS) return true;
  }
  return false;
}
