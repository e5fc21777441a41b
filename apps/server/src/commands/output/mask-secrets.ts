import { OUTPUT_CUT_MARK } from '@deviceportal/device-protocol/journal';

// Control characters are the subject of this file.
/* oxlint-disable no-control-regex */

/** Shorter secrets would mask ordinary output without protecting anything. */
const MIN_SECRET_CHARACTERS = 4;
/** Minimum length of a partial secret at the edge of a text. */
const MIN_EDGE_CHARACTERS = 3;
/** Maximum length of escape sequences between the characters of a secret. */
const ESCAPES_MARGIN = 1_024;

/**
 * ECMA-48: control sequences, then operating system commands, then other escapes; or the beginning of one at the end.
 */
const ESCAPE =
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*(?:[@-~]|$)|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\|$)|\u001B(?:[ -/]*[0-~]|$)/g;
/**
 * Possible remainders of a sequence that began before the text: of a control sequence, or of an operating system
 * command.
 */
const RESTS_OF_ESCAPE = [/^\[?[0-?]*[ -/]*[@-~]/, /^[^\u0007\u001B]*(?:\u0007|\u001B\\)/];

export interface MaskOptions {
  /** Whether the text is the start of the stream. Otherwise a secret can have started before it. */
  readonly fromStart: boolean;
}

/**
 * Replaces every secret by bullets, one per UTF-16 code unit, so that stream offsets stay valid. Escape sequences
 * within a secret are ignored. The beginning of a secret at the end of the text is masked too, because the rest can be
 * in the next piece or truncated, and so is the end of a secret that started before the text.
 */
export function maskSecrets(
  text: string,
  secrets: readonly string[],
  { fromStart }: MaskOptions = { fromStart: true },
): string {
  const sought = secretsToHide(secrets);
  if (sought.length === 0 || text === '') return text;
  const hidden = new Uint8Array(text.length);
  for (const { letters, placeOf } of readings(text, fromStart)) {
    findSecrets(letters, sought, {
      fromStart,
      hide(from, to) {
        for (let at = from; at < to; at += 1) hidden[placeOf(at)] = 1;
      },
    });
  }
  return withBullets(text, hidden);
}

/** Number of characters before an offset that must be read to find secrets that overlap it. */
export function maskOverlap(secrets: readonly string[]): number {
  const longest = Math.max(0, ...secretsToHide(secrets).map((secret) => secret.length - 1));
  return longest === 0 ? 0 : longest + ESCAPES_MARGIN;
}

/** Texts to mask. Lines are masked individually, because output is often indented. */
export function secretsToHide(secrets: readonly string[]): string[] {
  return [...new Set(secrets.flatMap((secret) => [secret, ...secret.split(/\r?\n/)]))].filter(
    (secret) => secret.length >= MIN_SECRET_CHARACTERS,
  );
}

interface Reading {
  readonly letters: string;
  /** Index in the text of a character. */
  readonly placeOf: (index: number) => number;
}

/** The text itself, and the text as a terminal shows it. */
function readings(text: string, fromStart: boolean): Reading[] {
  const asIs: Reading = { letters: text, placeOf: (index) => index };
  const begins = /[\u001B\u009B]/.test(text) ? [0] : [];
  if (!fromStart) for (const rest of RESTS_OF_ESCAPE) begins.push(...lengthsOf(rest.exec(text)));
  return [asIs, ...begins.map((from) => shownFrom(text, from))];
}

const lengthsOf = (match: RegExpExecArray | null): number[] => (match ? [match[0].length] : []);

function shownFrom(text: string, from: number): Reading {
  const places: number[] = [];
  const keep = (begin: number, end: number): void => {
    for (let at = begin; at < end; at += 1) places.push(at);
  };
  let at = from;
  for (const match of text.matchAll(ESCAPE)) {
    if (match.index >= at) keep(at, match.index);
    at = Math.max(at, match.index + match[0].length);
  }
  keep(at, text.length);
  let letters = '';
  for (const place of places) letters += text[place];
  return { letters, placeOf: (index) => places[index] ?? 0 };
}

interface Search extends MaskOptions {
  readonly hide: (from: number, to: number) => void;
}

function findSecrets(letters: string, sought: readonly string[], search: Search): void {
  for (const secret of sought) {
    let reached = 0;
    for (let at = letters.indexOf(secret); at >= 0; at = letters.indexOf(secret, at + 1)) {
      const end = at + secret.length;
      search.hide(Math.max(at, reached), end);
      reached = end;
    }
    const most = Math.min(secret.length - 1, letters.length);
    for (const end of endsOf(letters)) {
      const begun = longestEdge(Math.min(most, end), (length) =>
        letters.startsWith(secret.slice(0, length), end - length),
      );
      search.hide(end - begun, end);
    }
    if (search.fromStart) continue;
    search.hide(
      0,
      longestEdge(most, (length) => letters.startsWith(secret.slice(-length))),
    );
    if (letters.length >= MIN_EDGE_CHARACTERS && secret.includes(letters))
      search.hide(0, letters.length);
  }
}

/** Where a partial secret can end: at the end of the text, and where a limit truncated the stream. */
function endsOf(letters: string): number[] {
  const ends = [letters.length];
  for (let at = letters.indexOf(OUTPUT_CUT_MARK); at >= 0;) {
    ends.push(at);
    at = letters.indexOf(OUTPUT_CUT_MARK, at + 1);
  }
  return ends;
}

function longestEdge(most: number, fits: (length: number) => boolean): number {
  for (let length = most; length >= MIN_EDGE_CHARACTERS; length -= 1) {
    if (fits(length)) return length;
  }
  return 0;
}

function withBullets(text: string, hidden: Uint8Array): string {
  const parts: string[] = [];
  let from = 0;
  while (from < text.length) {
    const kind = hidden[from];
    let to = from + 1;
    while (to < text.length && hidden[to] === kind) to += 1;
    parts.push(kind === 1 ? '•'.repeat(to - from) : text.slice(from, to));
    from = to;
  }
  return parts.join('');
}
