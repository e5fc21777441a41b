import {
  matchesIn,
  sourceAt,
  TerminalText,
  type ShownLine,
} from '@deviceportal/contract/terminal-text';
import type { Recording } from './read-recording.ts';

/** More matches are not listed. */
export const MOST_MATCHES = 1_000;

export interface RecordedMatch {
  /** The event with which the whole text is shown. */
  readonly event: number;
  readonly line: string;
}

/** The lines of a recording, without escape sequences. */
export function linesOf(recording: Recording): ShownLine[] {
  const lines: ShownLine[] = [];
  const text = new TerminalText((line) => void lines.push(line));
  recording.events.forEach(({ kind, text: output }, event) => {
    if (kind === 'output') text.add(output, event);
  });
  text.end();
  return lines;
}

/** In the order in which they are shown, regardless of case. */
export function findInLines(lines: readonly ShownLine[], wanted: string): RecordedMatch[] {
  const text = wanted.trim().toLowerCase();
  const matches: RecordedMatch[] = [];
  for (const line of lines) {
    for (const end of matchesIn(line, text)) {
      matches.push({ event: sourceAt(line, end), line: line.text.trim() });
      if (matches.length === MOST_MATCHES) return matches;
    }
  }
  return matches;
}
