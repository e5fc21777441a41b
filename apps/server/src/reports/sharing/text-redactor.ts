import { detectNetworks } from './detectors/detect-networks.ts';
import { detectNumbers } from './detectors/detect-numbers.ts';
import { phoneNumberDetector } from './detectors/detect-phone-numbers.ts';
import { detectCoordinates, detectStreetAddresses } from './detectors/detect-places.ts';
import { detectSecrets } from './detectors/detect-secrets.ts';
import { detectIntroducedNames, nameDetector } from './detectors/detect-names.ts';
import { knownNames } from './detectors/known-names.ts';
import { detectorOf, type Detector, type TextSpan } from './detectors/text-span.ts';

/** Replaces hidden text, unless other words are given. */
export const HIDDEN = '•••';

export interface TextRedactorOptions {
  /** People whose names, usernames, and email addresses are hidden in every spelling. */
  readonly names: readonly string[];
  readonly contacts: readonly string[];
  /** Kept, although a detector finds them. */
  readonly keptContacts: readonly string[];
  /** Hides names, email addresses, phone numbers, and street addresses of unknown people. */
  readonly otherPeople: boolean;
  readonly networks: boolean;
  readonly places: boolean;
  /** ISO 3166-1 codes of countries whose local notation of phone numbers is recognized. */
  readonly countries: readonly string[];
  /** Replaces hidden parts of a text; default `HIDDEN`. */
  readonly mark?: string;
  /** Maximum length of the result in characters; default `LONGEST_TEXT`. */
  readonly longest?: number;
}

export interface TextRedactor {
  /** The beginning of a text with hidden parts replaced, and a mark if it was truncated. */
  readonly text: (text: string) => string;
  /** Whether the value of a field with this name is hidden. */
  readonly isHiddenKey: (key: string) => boolean;
}

const EMAIL =
  /[\p{L}\p{N}._%+'-]{1,64}\s?(?:@|\(at\)|\[at\]|＠)\s?[\p{L}\p{N}-]{1,63}(?:\s?(?:\.|\(dot\)|\[dot\])\s?[\p{L}\p{N}-]{1,63}){1,8}/giu;
const secretKey =
  /pass(?:word|phrase|code|wd)|^pwd$|secret|token|credential|cookie|authorization|signature|(?:api|access|private|encryption|shared)[-_]?key|psk|^pin$|密码|密钥|令牌/i;
const networkKey =
  /^(?:ip|mac|host|ssid|bssid|gateway|dns)(?:_?address|_?name)?$|address$|hostname/i;
const placeKey = /^(?:lat|lng|lon)$|latitude|longitude|^place$|^position$|^location$/i;
/** A longer text is searched in windows that overlap by more than the longest match, so that time grows linearly. */
const WINDOW = 4_000;
const OVERLAP = 600;

/** Maximum length of a shared text. */
export const LONGEST_TEXT = 8_000;
/** Length that is searched: a match across the end of the shared part is found as well. */
export const SEARCHED_LENGTH = LONGEST_TEXT + OVERLAP;
const CUT_OFF = ' …';

/** Hides the chosen kinds of data in texts. Secrets, identity documents, and payment numbers are always hidden. */
export function createTextRedactor(options: TextRedactorOptions): TextRedactor {
  const kept = new Set(options.keptContacts.map((text) => text.toLowerCase()));
  const detectors = detectorsOf(options);
  const { longest = LONGEST_TEXT, mark = HIDDEN } = options;
  return {
    text: (whole) => {
      const text = whole.slice(0, longest + OVERLAP);
      // A secret may be longer than a window; its detector takes linear time on the whole text.
      const spans = [...detectSecrets(text), ...inWindows(text, detectors)];
      const hidden = spans.filter(({ from, to }) => !kept.has(text.slice(from, to).toLowerCase()));
      if (whole.length <= longest) return withoutSpans(text, hidden, { length: text.length, mark });
      return withoutSpans(text, hidden, { length: endOfWords(text, longest), mark }) + CUT_OFF;
    },
    isHiddenKey: (key) =>
      secretKey.test(key) ||
      (options.networks && networkKey.test(key)) ||
      (options.places && placeKey.test(key)),
  };
}

function detectorsOf(options: TextRedactorOptions): Detector[] {
  const known = knownNames([
    ...options.names,
    ...options.contacts.filter((text) => !/^\+?\d/.test(text)),
  ]);
  const detectors: Detector[] = [detectNumbers, nameDetector(known), exactly(options.contacts)];
  if (options.otherPeople) {
    detectors.push(detectIntroducedNames, detectorOf([EMAIL]));
    detectors.push(phoneNumberDetector(options.countries));
  }
  if (options.otherPeople || options.places) detectors.push(detectStreetAddresses);
  if (options.networks) detectors.push(detectNetworks);
  if (options.places) detectors.push(detectCoordinates);
  return detectors;
}

function exactly(texts: readonly string[]): Detector {
  const wanted = texts.filter((text) => text.length > 2).map((text) => text.toLowerCase());
  return (text) => {
    const lower = text.toLowerCase();
    return wanted.flatMap((one) => {
      const spans: TextSpan[] = [];
      for (let from = lower.indexOf(one); from >= 0; from = lower.indexOf(one, from + one.length)) {
        spans.push({ from, to: from + one.length });
      }
      return spans;
    });
  };
}

/** The end of the last whole word within the limit; the limit itself if there is none nearby. */
function endOfWords(text: string, longest: number): number {
  const blank = text.slice(longest - OVERLAP, longest).search(/\s\S*$/);
  return blank < 0 ? longest : longest - OVERLAP + blank;
}

/** The beginning of a text with its spans replaced: a span across the end is hidden as a whole. */
function withoutSpans(
  text: string,
  spans: readonly TextSpan[],
  { length, mark }: { readonly length: number; readonly mark: string },
): string {
  let clean = '';
  let end = 0;
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    if (to <= end) continue;
    if (from >= length) break;
    // Adjacent spans are merged.
    if (from > end || clean === '') clean += text.slice(end, from) + mark;
    end = to;
  }
  return clean + text.slice(end, length);
}

function inWindows(text: string, detectors: readonly Detector[]): TextSpan[] {
  const spans: TextSpan[] = [];
  for (let start = 0; start < text.length; start += WINDOW - OVERLAP) {
    const piece = text.slice(start, start + WINDOW);
    for (const { from, to } of detectors.flatMap((detect) => detect(piece))) {
      spans.push({ from: start + from, to: start + to });
    }
    if (start + WINDOW >= text.length) break;
  }
  return spans;
}
