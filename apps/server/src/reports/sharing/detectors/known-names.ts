import { foldedForms } from './fold-name.ts';

const HAN_NAME = /^\p{Script=Han}{2,4}$/u;
/** Chinese surnames of two characters; all others have one. */
const LONG_SURNAMES =
  /^(?:欧阳|司马|上官|诸葛|东方|皇甫|尉迟|公孙|慕容|令狐|长孙|宇文|司徒|夏侯|端木|南宫)/u;
const PARTICLES = new Set([
  'von',
  'van',
  'der',
  'den',
  'de',
  'del',
  'della',
  'di',
  'da',
  'dos',
  'la',
  'le',
  'el',
  'al',
  'bin',
  'ibn',
  'zu',
  'und',
  'and',
  'dr',
  'prof',
  'mr',
  'mrs',
  'ms',
  'jr',
  'sr',
  'sir',
]);
/** Parts of usernames that name a function, not a person. */
const JOBS = new Set([
  'support',
  'admin',
  'service',
  'info',
  'system',
  'operator',
  'agent',
  'desk',
]);
const SHORTEST_PART = 3;

/** The forms by which known people are found in texts. */
export interface KnownNames {
  /** Normalized single words: given names, surnames, parts of double names. */
  readonly words: ReadonlySet<string>;
  /** Normalized and without separators, as in usernames and email addresses: "anaweber", "aweber", "weberana". */
  readonly handles: ReadonlySet<string>;
  /** Chinese names, complete and without the surname; matched anywhere, because Chinese has no spaces. */
  readonly chinese: readonly string[];
  readonly chineseSurnames: readonly string[];
}

/** Derives the search forms from names, usernames, and email addresses. */
export function knownNames(texts: readonly string[]): KnownNames {
  const words = new Set<string>();
  const handles = new Set<string>();
  const chinese = new Set<string>();
  const chineseSurnames = new Set<string>();
  for (const text of texts) {
    const name = text.trim();
    if (HAN_NAME.test(name)) {
      const surname = LONG_SURNAMES.exec(name)?.[0] ?? name.slice(0, 1);
      chineseSurnames.add(surname);
      chinese.add(name);
      const given = name.slice(surname.length);
      if (given.length >= 2) chinese.add(given);
      continue;
    }
    for (const folded of foldedForms(name.replace(/@.*$/, ''))) addLatin(folded, words, handles);
  }
  return { words, handles, chinese: [...chinese], chineseSurnames: [...chineseSurnames] };
}

function addLatin(folded: string, words: Set<string>, handles: Set<string>): void {
  const parts = folded.split(/[^\p{L}]+/u).filter((part) => part !== '' && !PARTICLES.has(part));
  for (const part of parts) {
    if (part.length >= SHORTEST_PART && !JOBS.has(part)) words.add(part);
  }
  const joined = folded.replaceAll(/[^\p{L}\p{N}]/gu, '');
  if (joined.length > SHORTEST_PART && !JOBS.has(joined)) handles.add(joined);
  const first = parts[0];
  const last = parts.at(-1);
  if (first === undefined || last === undefined || first === last) return;
  const [one = ''] = first;
  const [other = ''] = last;
  for (const handle of [first + last, last + first, one + last, last + one, first + other]) {
    if (handle.length > SHORTEST_PART) handles.add(handle);
  }
  if (last.length + one.length > 2 * SHORTEST_PART) handles.add(one + last.slice(0, 7));
}
