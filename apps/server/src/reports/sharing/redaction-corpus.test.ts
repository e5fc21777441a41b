import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isThorough } from '../../../tests/support/is-thorough.ts';
import { createTextRedactor, type TextRedactorOptions } from './text-redactor.ts';

/** A text as written by people and programs, and the parts of it that must be removed. */
interface CorpusLine {
  readonly kind: string;
  readonly text: string;
  readonly hide: readonly string[];
}

const corpus = readFileSync(new URL('redaction-corpus.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as CorpusLine);
const options: TextRedactorOptions = {
  names: [
    ...['Ana Kovač', 'Jürgen Müller', 'José García López', 'Søren Ødegård', 'Łukasz Wójcik'],
    ...['Anna-Lena Weber', '李小明', '欧阳娜娜'],
  ],
  contacts: [],
  keptContacts: [],
  otherPeople: true,
  networks: true,
  places: true,
  countries: ['DE', 'GB', 'US', 'CN', 'FR'],
};
const redactor = createTextRedactor(options);
const HOSTILE_CHARACTERS = isThorough ? 200_000 : 50_000;
const PATIENCE_MS = 10_000;
/** It truncates nothing. */
const patient = createTextRedactor({ ...options, longest: HOSTILE_CHARACTERS });

describe('the corpus of texts', () => {
  it('contains at least 500 lines', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(500);
  });

  it('reveals no secret, address, number, or name of any line to a recipient', () => {
    const leaks = corpus.flatMap(({ kind, text, hide }) => {
      const clean = redactor.text(text);
      return hide
        .filter((piece) => clean.includes(piece))
        .map((piece) => ({ kind, text, piece, clean }));
    });
    expect(leaks).toEqual([]);
  });

  it('leaves harmless lines unchanged', () => {
    const harmless = corpus.filter(({ hide }) => hide.length === 0);
    const clean = harmless.map(({ text }) => redactor.text(text));
    expect(clean).toEqual(harmless.map(({ text }) => text));
  });
});

describe('a device that writes 50 kB, in a thorough run 200 kB', () => {
  it.each([
    'a',
    '1',
    '1 ',
    '1.',
    'ab:',
    '-',
    'A',
    'Ab ',
    '::',
    'a@',
    'a.a@',
    '号',
    '路',
    '中',
    ' ',
    '+49 ',
    'DE89 ',
    'password',
    'password=',
    '"',
    '-----BEGIN A-----',
    'eyJaaaaaaaa.',
    'curl -',
    '1° ',
    'Herr ',
    '0151 1234',
    '0151 123 a ',
    'Aa. ',
    'mysql ',
    'x-',
    '--a',
    'A-',
    '\n',
    "'",
    ':',
    '省',
    '小区',
    '://',
    '1 A ',
    'rue a  ',
    'Xstr. 1   ',
    '地址',
  ])('cannot block the server by repeating "%s"', (piece) => {
    const text = piece.repeat(Math.ceil(HOSTILE_CHARACTERS / piece.length));
    const started = performance.now();
    patient.text(text);
    expect(performance.now() - started).toBeLessThan(PATIENCE_MS);
  });
});
