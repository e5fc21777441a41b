/**
 * The text that a terminal has shown, line by line and without escape sequences (ECMA-48, and the
 * sequences of xterm: https://invisible-island.net/xterm/ctlseqs/ctlseqs.html). Movements of the cursor
 * end a line, so that texts which are far apart on the screen are not joined.
 */

/** Longer lines are divided; each part repeats the end of the one before. */
const MOST_CHARACTERS = 8_192;
/** Characters of a text that is searched for. */
export const TERMINAL_SEARCH_CHARACTERS = 200;

export interface ShownLine {
  readonly text: string;
  /** What was added at which character, in ascending order. */
  readonly runs: readonly ShownRun[];
  /** Number of characters that the part before has contained, too. */
  readonly repeated: number;
}

export interface ShownRun {
  readonly from: number;
  /** What the caller of `add` has named. */
  readonly source: number;
}

type State = 'text' | 'escape' | 'control' | 'string' | 'string-escape' | 'character-set';

/** Sequences that change no position and remove nothing that was before the cursor. */
const UNMOVING = /[mhlcnqrstK@PX]/;

export class TerminalText {
  readonly #onLine: (line: ShownLine) => void;
  #state: State = 'text';
  /** UTF-16 code units: the last one is often removed. */
  #units: string[] = [];
  #runs: ShownRun[] = [];
  #repeated = 0;
  #hasReturned = false;

  constructor(onLine: (line: ShownLine) => void) {
    this.#onLine = onLine;
  }

  /** @param source returned with the characters of this output */
  add(output: string, source: number): void {
    for (let at = 0; at < output.length; at += 1) {
      const state = this.#state;
      const code = output.charCodeAt(at);
      if (state === 'text') at = this.#addText(output, at, source);
      else if (state === 'escape') this.#state = afterEscape(code);
      else if (state === 'character-set') this.#state = 'text';
      else if (state === 'control') {
        if (code >= 0x40 && code <= 0x7e) this.#endControl(output.charAt(at), source);
        else if (code === 0x1b) this.#state = 'escape';
      } else this.#state = afterString(state, code);
    }
  }

  /** Call at the end, and where a line that is not finished has to be read. */
  end(): void {
    this.#flush();
    this.#hasReturned = false;
  }

  /** @returns the position of the last character that was taken */
  #addText(output: string, at: number, source: number): number {
    let end = at;
    while (end < output.length && output.charCodeAt(end) >= 0x20) end += 1;
    if (end > at) {
      if (this.#hasReturned) this.#flush();
      this.#hasReturned = false;
      this.#append(output, { from: at, to: end }, source);
      return end - 1;
    }
    const code = output.charCodeAt(at);
    if (code === 0x1b) this.#state = 'escape';
    else if (code === 0x08) this.#removeLast();
    else if (code === 0x09) this.#append(' ', { from: 0, to: 1 }, source);
    else if (code === 0x0d) this.#hasReturned = true;
    else if (code >= 0x0a && code <= 0x0c) this.end();
    return at;
  }

  #endControl(final: string, source: number): void {
    this.#state = 'text';
    if (final === 'C') this.#append(' ', { from: 0, to: 1 }, source);
    else if (!UNMOVING.test(final)) this.end();
  }

  #append(
    output: string,
    { from, to }: { readonly from: number; readonly to: number },
    source: number,
  ): void {
    if (this.#runs.at(-1)?.source !== source) this.#runs.push({ from: this.#units.length, source });
    for (let at = from; at < to; at += 1) {
      if (this.#units.length === MOST_CHARACTERS) this.#divide();
      this.#units.push(output.charAt(at));
    }
  }

  #removeLast(): void {
    if (this.#units.length <= this.#repeated) return;
    this.#units.pop();
    if ((this.#runs.at(-1)?.from ?? -1) >= this.#units.length) this.#runs.pop();
  }

  #divide(): void {
    const kept = MOST_CHARACTERS - TERMINAL_SEARCH_CHARACTERS;
    this.#emit();
    const first = this.#runs.findLastIndex(({ from }) => from <= kept);
    this.#runs = this.#runs
      .slice(Math.max(0, first))
      .map(({ from, source }) => ({ from: Math.max(0, from - kept), source }));
    this.#units = this.#units.slice(kept);
    this.#repeated = TERMINAL_SEARCH_CHARACTERS;
  }

  #flush(): void {
    if (this.#units.length > this.#repeated) this.#emit();
    this.#units = [];
    this.#runs = [];
    this.#repeated = 0;
  }

  #emit(): void {
    this.#onLine({ text: this.#units.join(''), runs: this.#runs, repeated: this.#repeated });
  }
}

function afterEscape(code: number): State {
  if (code === 0x5b) return 'control';
  // OSC, DCS, SOS, PM, and APC.
  if ([0x5d, 0x50, 0x58, 0x5e, 0x5f].includes(code)) return 'string';
  if (code >= 0x20 && code <= 0x2f) return 'character-set';
  return code === 0x1b ? 'escape' : 'text';
}

/** A string ends with BEL, or with ESC and a backslash. */
function afterString(state: State, code: number): State {
  if (code === 0x07 || code === 0x18 || code === 0x1a) return 'text';
  if (state === 'string-escape' && code === 0x5c) return 'text';
  return code === 0x1b ? 'string-escape' : 'string';
}

/** Positions after the text in a line, in lower case, of matches that the part before has not contained. */
export function matchesIn(line: ShownLine, wanted: string): number[] {
  if (wanted === '') return [];
  const text = line.text.toLowerCase();
  const ends: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    const end = at + wanted.length;
    if (end > line.repeated) ends.push(end);
  }
  return ends;
}

/** What added the character before this position. */
export function sourceAt({ runs }: ShownLine, end: number): number {
  return runs.findLast(({ from }) => from < end)?.source ?? runs[0]?.source ?? 0;
}
