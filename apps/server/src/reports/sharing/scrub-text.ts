/** Stands where something was. */
export const HIDDEN = '•••';

export interface ScrubOptions {
  readonly names: readonly string[];
  readonly contacts: readonly string[];
  /** Stay, though they look like what goes. */
  readonly keptContacts: readonly string[];
  /** E-mail addresses and phone numbers of whomever. */
  readonly otherContacts: boolean;
  readonly networks: boolean;
  readonly places: boolean;
}

export interface Scrubber {
  readonly text: (text: string) => string;
  /** Whether whatever stands under this name goes. */
  readonly isHiddenKey: (key: string) => boolean;
}

/** What looks like a secret, wherever it stands: whole, or behind its name. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [^-]+-----[\s\S]*?(?:-----END [^-]+-----|$)/g, HIDDEN],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, HIDDEN],
  [/\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g, HIDDEN],
  [/\b(?:ghp|gho|glpat|xox[abps]|sk)[-_][\w-]{16,}/g, HIDDEN],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${HIDDEN}`],
  [/([a-z][a-z\d+.-]*:\/\/)[^\s/@]+@/gi, `$1${HIDDEN}@`],
  [
    /((?:pass(?:word|phrase|wd)?|pwd|secret|token|credential|api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|psk)["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;&}]+)/gi,
    `$1${HIDDEN}`,
  ],
];
const secretKey =
  /pass(?:word|phrase|wd)|secret|token|credential|(?:api|access|private)[-_]?key|psk/i;
const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const PHONE = /(?<![\w.:+-])\+\d[\d ()/.-]{6,}\d/g;
const IPV4 = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/g;
const IPV6 = /(?<![\w:])(?:[\da-f]{1,4}:){2,7}(?::?[\da-f]{1,4}){1,7}(?![\w:])/gi;
const networkKey = /^(?:ip|mac|host|ssid|bssid)(?:_?address|_?name)?$|address$/i;
const placeKey = /^(?:lat|lng|lon)$|latitude|longitude|^place$|^position$/i;

/** Hides what was chosen in texts. Names are found whatever their case, as whole words. */
export function createScrubber(options: ScrubOptions): Scrubber {
  const kept = new Set(options.keptContacts.map((text) => text.toLowerCase()));
  const known = wordsPattern([...options.names, ...options.contacts]);
  const unlessKept = (found: string): string => (kept.has(found.toLowerCase()) ? found : HIDDEN);
  const patterns: (readonly [RegExp, (found: string) => string])[] = [];
  if (known !== null) patterns.push([known, () => HIDDEN]);
  if (options.otherContacts) patterns.push([EMAIL, unlessKept], [PHONE, unlessKept]);
  if (options.networks) patterns.push([IPV4, () => HIDDEN], [IPV6, () => HIDDEN]);
  return {
    text(text) {
      let clean = text;
      for (const [pattern, replacement] of secrets) clean = clean.replace(pattern, replacement);
      for (const [pattern, replace] of patterns) clean = clean.replace(pattern, replace);
      return clean;
    },
    isHiddenKey: (key) =>
      secretKey.test(key) ||
      (options.networks && networkKey.test(key)) ||
      (options.places && placeKey.test(key)),
  };
}

/** Shorter ones would hide ordinary words. */
const SHORTEST = 3;

function wordsPattern(texts: readonly string[]): RegExp | null {
  const words = [...new Set(texts)]
    .filter((text) => text.length >= SHORTEST && text !== HIDDEN)
    // The longest first: one name may be the beginning of another.
    .toSorted((one, other) => other.length - one.length)
    .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  if (words.length === 0) return null;
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words.join('|')})(?![\p{L}\p{N}])`, 'giu');
}
