/** A piece of a text: UTF-16 offsets, the end excluded. */
export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

/** Finds the pieces of a text that are of one kind. Its work grows linearly with the text. */
export type Detector = (text: string) => TextSpan[];

/** One span for each match; with a group named `hide`, only what that group matched. */
export function spansOf(pattern: RegExp, text: string): TextSpan[] {
  return [...text.matchAll(pattern)].map((match) => {
    const hidden = match.groups?.['hide'];
    if (hidden === undefined) return { from: match.index, to: match.index + match[0].length };
    const from = match.index + match[0].lastIndexOf(hidden);
    return { from, to: from + hidden.length };
  });
}

/** A detector that matches any of some global patterns. */
export function detectorOf(patterns: readonly RegExp[]): Detector {
  return (text) => patterns.flatMap((pattern) => spansOf(pattern, text));
}
