import { diffLines } from 'diff';

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  /** The line number from 1. Null if the line is not in that version. */
  readonly before: number | null;
  readonly after: number | null;
  readonly text: string;
}

/** Lines to show, or the number of folded equal lines. */
export type DiffPart =
  | { readonly kind: 'lines'; readonly lines: readonly DiffLine[] }
  | { readonly kind: 'skipped'; readonly lines: readonly DiffLine[] };

export interface DiffModel {
  readonly added: number;
  readonly removed: number;
  readonly parts: readonly DiffPart[];
}

/** Equal lines shown around a change. */
const CONTEXT_LINES = 3;

/** The line diff of two texts, with long equal sections folded. */
export function diffModel(before: string, after: string): DiffModel {
  const lines = diffedLines(before, after);
  return {
    added: lines.filter((line) => line.kind === 'added').length,
    removed: lines.filter((line) => line.kind === 'removed').length,
    parts: fold(lines),
  };
}

/** Every line of both texts, in order, with its line numbers. */
export function diffedLines(before: string, after: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let [old, now] = [0, 0];
  for (const change of diffLines(before, after)) {
    for (const text of splitLines(change.value)) {
      if (change.added) lines.push({ kind: 'added', before: null, after: (now += 1), text });
      else if (change.removed)
        lines.push({ kind: 'removed', before: (old += 1), after: null, text });
      else lines.push({ kind: 'same', before: (old += 1), after: (now += 1), text });
    }
  }
  return lines;
}

/** Splits a text into lines. A final line break does not start another line. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function fold(lines: readonly DiffLine[]): DiffPart[] {
  const near = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'same') continue;
    for (let at = index - CONTEXT_LINES; at <= index + CONTEXT_LINES; at += 1) near.add(at);
  }
  const parts: { kind: DiffPart['kind']; lines: DiffLine[] }[] = [];
  for (const [index, line] of lines.entries()) {
    const kind = near.has(index) ? 'lines' : 'skipped';
    const last = parts.at(-1);
    if (last?.kind === kind) last.lines.push(line);
    else parts.push({ kind, lines: [line] });
  }
  return parts;
}
