/** Looks a context key up, given in lower case. */
export type FindContextValue = (key: string) => readonly string[] | undefined;

/** One part of a pattern: literal text, `*` for any characters, `?` for exactly one. */
type PatternPart = { readonly text: string } | '*' | '?';

const VARIABLE = /\$\{([^{}]*)\}/g;

/**
 * Matches text with a pattern of `*`, `?`, and policy variables (`${aws:username}`, with a default
 * as in `${aws:username, 'nobody'}`). The value of a variable is literal: a `*` in a username is
 * not a wildcard.
 * @returns undefined if a variable has no value or several, so that the pattern is not applicable
 */
export function matchesPattern(
  pattern: string,
  text: string,
  find: FindContextValue | undefined,
): boolean | undefined {
  const parts = partsOf(pattern, find);
  return parts && matchesParts(parts, text);
}

/** Replaces variables only: for operators that compare whole texts. */
export function expandVariables(text: string, find: FindContextValue): string | undefined {
  let isComplete = true;
  const expanded = text.replaceAll(VARIABLE, (_whole, name: string) => {
    const value = valueOf(name, find);
    if (value === undefined) isComplete = false;
    return value ?? '';
  });
  return isComplete ? expanded : undefined;
}

function partsOf(pattern: string, find: FindContextValue | undefined): PatternPart[] | undefined {
  if (find === undefined) return wildcardParts(pattern);
  const parts: PatternPart[] = [];
  let end = 0;
  for (const variable of pattern.matchAll(VARIABLE)) {
    const value = valueOf(variable[1] ?? '', find);
    if (value === undefined) return undefined;
    parts.push(...wildcardParts(pattern.slice(end, variable.index)), { text: value });
    end = variable.index + variable[0].length;
  }
  return [...parts, ...wildcardParts(pattern.slice(end))];
}

function wildcardParts(text: string): PatternPart[] {
  return text
    .split(/([*?])/)
    .filter((part) => part !== '')
    .map((part) => (part === '*' || part === '?' ? part : { text: part }));
}

function valueOf(name: string, find: FindContextValue): string | undefined {
  // `${*}`, `${?}` and `${$}` are how a policy writes the characters themselves.
  if (name === '*' || name === '?' || name === '$') return name;
  const [, key = '', fallback] = /^\s*([^,\s]+)\s*(?:,\s*'([^']*)'\s*)?$/.exec(name) ?? [];
  const values = find(key.toLowerCase());
  return values?.length === 1 ? values[0] : values === undefined ? fallback : undefined;
}

/** Greedy with one way back, to the last `*`: the time is bounded by pattern times text, whatever they are. */
function matchesParts(parts: readonly PatternPart[], text: string): boolean {
  let part = 0;
  let at = 0;
  let afterStar = -1;
  let starAt = 0;
  while (at < text.length || part < parts.length) {
    const step = parts[part];
    if (step === '*') {
      afterStar = part + 1;
      starAt = at;
      part = afterStar;
      continue;
    }
    const length = step === undefined ? -1 : lengthOfMatch(step, text, at);
    if (length >= 0) {
      part += 1;
      at += length;
      continue;
    }
    if (afterStar < 0 || starAt >= text.length) return false;
    starAt += 1;
    at = starAt;
    part = afterStar;
  }
  return true;
}

/** @returns how many characters of the text the step takes, or -1 */
function lengthOfMatch(step: Exclude<PatternPart, '*'>, text: string, at: number): number {
  if (step === '?') return at < text.length ? 1 : -1;
  return text.startsWith(step.text, at) ? step.text.length : -1;
}
