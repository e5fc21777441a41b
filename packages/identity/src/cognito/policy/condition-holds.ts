import { BlockList, isIP } from 'node:net';
import type { Condition, ConditionOperator } from './policy-document.ts';
import { expandVariables, matchesPattern, type FindContextValue } from './policy-pattern.ts';

/**
 * Compares a value of the request with a value of the policy; undefined if the policy's value is
 * not applicable.
 */
type Comparison = (
  actual: string,
  wanted: string,
  find: FindContextValue | undefined,
) => boolean | undefined;

/**
 * Whether a condition of a statement is met ("IAM JSON policy elements: Condition operators").
 * @param input.find context of the request; `variables` is the same if the policy replaces
 * variables
 * @param input.isAllow an unknown value never meets the condition of an Allow
 */
export function conditionHolds(
  condition: Condition,
  input: {
    readonly find: FindContextValue;
    readonly variables: FindContextValue | undefined;
    readonly isAllow: boolean;
  },
): boolean {
  const { operator, quantifier } = condition;
  const actual = input.find(condition.key);
  if (operator === 'Null') return condition.values.includes(String(actual === undefined));
  const isNegated = operator.includes('Not');
  if (actual === undefined || actual.length === 0) {
    return quantifier === undefined
      ? condition.isIfExists || isNegated
      : quantifier === 'ForAllValues' || condition.isIfExists;
  }
  const compare = comparisonOf(operator);
  const verdicts = actual.map((value) => {
    const matches = condition.values.map((wanted) => compare(value, wanted, input.variables));
    if (input.isAllow && isNegated && matches.includes(undefined)) return false;
    return matches.includes(true) !== isNegated;
  });
  if (quantifier === 'ForAnyValue') return verdicts.includes(true);
  if (quantifier === 'ForAllValues' || isNegated) return !verdicts.includes(false);
  return verdicts.includes(true);
}

/** The comparison behind an operator; a negated one has the comparison of its opposite. */
function comparisonOf(operator: ConditionOperator): Comparison {
  if (operator.startsWith('Numeric')) return ordered(operator, numberOf);
  if (operator.startsWith('Date')) return ordered(operator, dateOf);
  switch (operator) {
    case 'StringLike':
    case 'StringNotLike':
      return (actual, wanted, find) => matchesPattern(wanted, actual, find);
    case 'ArnEquals':
    case 'ArnLike':
    case 'ArnNotEquals':
    case 'ArnNotLike':
      return matchesArn;
    case 'IpAddress':
    case 'NotIpAddress':
      return (actual, wanted) => isWithin(actual, wanted);
    case 'StringEqualsIgnoreCase':
    case 'StringNotEqualsIgnoreCase':
    case 'Bool':
      return sameText((text) => text.toLowerCase());
    default:
      return sameText((text) => text);
  }
}

function sameText(normalize: (text: string) => string): Comparison {
  return (actual, wanted, find) => {
    const expanded = find === undefined ? wanted : expandVariables(wanted, find);
    return expanded === undefined ? undefined : normalize(actual) === normalize(expanded);
  };
}

function ordered(operator: string, read: (text: string) => number): Comparison {
  return (actual, wanted) => {
    const [left, right] = [read(actual), read(wanted)];
    if (Number.isNaN(left) || Number.isNaN(right)) return undefined;
    if (operator.endsWith('LessThan')) return left < right;
    if (operator.endsWith('LessThanEquals')) return left <= right;
    if (operator.endsWith('GreaterThan')) return left > right;
    if (operator.endsWith('GreaterThanEquals')) return left >= right;
    return left === right;
  };
}

function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

/** ISO 8601, or seconds since 1970, as policies may write dates. */
function dateOf(text: string): number {
  return /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text);
}

/** Each of the six parts of an ARN on its own: a `*` does not reach over a colon. */
const matchesArn: Comparison = (actual, wanted, find) => {
  const actualParts = arnParts(actual, ':');
  const wantedParts = arnParts(wanted, COLON_OF_PATTERN);
  const verdicts = wantedParts.map((part, index) =>
    matchesPattern(part, actualParts[index] ?? '', find),
  );
  return verdicts.includes(undefined) ? undefined : !verdicts.includes(false);
};

/** A colon inside of `${…}` belongs to a variable; the sixth part keeps its colons. */
const COLON_OF_PATTERN = /:(?![^{}]*\})/;

function arnParts(arn: string, separator: string | RegExp): readonly string[] {
  const parts = arn.split(separator);
  return [...parts.slice(0, 5), parts.slice(5).join(':')];
}

/** Whether an address is in a CIDR block, or equals a single address. */
function isWithin(actual: string, wanted: string): boolean | undefined {
  const [address = '', bits] = wanted.split('/', 2);
  const version = isIP(address);
  const longest = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? longest : Number(bits);
  if (version === 0 || !Number.isInteger(prefix) || prefix < 0 || prefix > longest)
    return undefined;
  const plain = actual.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
  if (isIP(plain) !== version) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const block = new BlockList();
  block.addSubnet(address, prefix, family);
  return block.check(plain, family);
}
