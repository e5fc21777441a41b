/** A range of a text in UTF-16 code units, end exclusive. */
export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

/** Finds ranges of one kind in a text, in time linear in its length. */
export type Detector = (text: string) => TextSpan[];

/** One span for each match; with a group named `hide`, only the span of that group. */
export function spansOf(pattern: RegExp, text: string): TextSpan[] {
  return [...text.matchAll(pattern)].map((match) => {
    const hidden = match.groups?.['hide'];
    if (hidden === undefined) return { from: match.index, to: match.index + match[0].length };
    const from = match.index + match[0].lastIndexOf(hidden);
    return { from, to: from + hidden.length };
  });
}

/** A detector that matches any of several global patterns. */
export function detectorOf(patterns: readonly RegExp[]): Detector {
  return (text) => patterns.flatMap((pattern) => spansOf(pattern, text));
}
