const QUOTE = 34;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/**
 * Whether JSON text nests arrays and objects deeper than `depth`. Checked before parsing: `JSON.parse` accepts any
 * depth, but recursion over its result can overflow the stack.
 */
export function isNestedDeeperThan(json: string, depth: number): boolean {
  let open = 0;
  for (let index = 0; index < json.length; index += 1) {
    const character = json.charCodeAt(index);
    if (character === OPEN_BRACKET || character === OPEN_BRACE) {
      open += 1;
      if (open > depth) return true;
    } else if (character === CLOSE_BRACKET || character === CLOSE_BRACE) open -= 1;
    else if (character === QUOTE) index = endOfString(json, index + 1);
  }
  return false;
}

/**
 * Index of the end of the string that starts at `start` (RFC 8259, section 7), or the end of the text if it is
 * unterminated.
 */
function endOfString(json: string, start: number): number {
  for (let index = start; index < json.length; index += 1) {
    const character = json.charCodeAt(index);
    if (character === QUOTE) return index;
    if (character === BACKSLASH) index += 1;
  }
  return json.length;
}
