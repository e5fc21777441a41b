/**
 * Validation of values against a document's parameters (SSM documents, schema 2.2): types, allowed
 * values, patterns, lengths, defaults. The browser's form and the server use the same code.
 */

import { fieldIssue, type FieldIssue } from '../refusals/field-issue.ts';
import { hasStoreReference } from './store-references.ts';
import type { DocumentParameter, ParameterValue } from '../documents/ssm-document.ts';

export interface CheckedParameters {
  /** The values converted to their types, with defaults. */
  readonly values: Readonly<Record<string, ParameterValue>>;
  /**
   * Paths start with `parameters`, followed by the parameter's name and the position in a list or
   * map.
   */
  readonly issues: readonly FieldIssue[];
}

/**
 * Limit for all parameters of a run as JSON in UTF-8. Together with a document of 64 KiB, they fit
 * into one MQTT message of 128 KiB (docs/design/decisions.md, section 10).
 */
export const PARAMETERS_LIMIT_BYTES = 56 * 1024;

/**
 * Whether each text matches a document's `allowedPattern`. Authors of documents write patterns,
 * which can have exponential run time, so the server passes a matcher with a time limit.
 */
export type PatternMatcher = (pattern: string, texts: readonly string[]) => readonly boolean[];

const matchHere: PatternMatcher = (pattern, texts) => {
  const expression = new RegExp(pattern, 'u');
  return texts.map((text) => expression.test(text));
};

export function checkParameters(
  declared: Readonly<Record<string, DocumentParameter>>,
  given: Readonly<Record<string, unknown>>,
  matcher: PatternMatcher = matchHere,
): CheckedParameters {
  const values: Record<string, ParameterValue> = {};
  const issues: FieldIssue[] = [];
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(declared, name)) {
      issues.push(fieldIssue(['parameters', name], 'undeclared'));
    }
  }
  for (const [name, parameter] of Object.entries(declared)) {
    const raw = Object.hasOwn(given, name) ? given[name] : undefined;
    const chosen = raw === undefined || raw === null ? parameter.default : raw;
    if (chosen === undefined || chosen === null) {
      issues.push(fieldIssue(['parameters', name], 'required'));
      continue;
    }
    if (isStoreDefault(parameter, chosen)) {
      // The value is known only at run time and is checked then.
      values[name] = chosen as ParameterValue;
      continue;
    }
    const value = parameterValueOf(parameter.type, chosen);
    if (value === undefined) {
      issues.push(fieldIssue(['parameters', name], 'type', { type: parameter.type }));
      continue;
    }
    values[name] = value;
    for (const issue of brokenConstraints(parameter, value, matcher)) {
      issues.push({ ...issue, path: ['parameters', name, ...issue.path] });
    }
  }
  if (issues.length === 0 && jsonBytes(values) > PARAMETERS_LIMIT_BYTES) {
    issues.push(fieldIssue(['parameters'], 'too-large-together'));
  }
  return { values, issues };
}

/** Whether this is the document's default and refers to the parameter store. */
function isStoreDefault(parameter: DocumentParameter, chosen: unknown): boolean {
  return (
    hasStoreReference(parameter.default) &&
    JSON.stringify(parameter.default) === JSON.stringify(chosen)
  );
}

const jsonBytes = (value: unknown): number =>
  new TextEncoder().encode(JSON.stringify(value)).byteLength;

/**
 * Converts the value to its type; undefined if it is not valid. Like SSM, accepts text for Integer
 * and Boolean, because values are part of URLs and forms.
 */
export function parameterValueOf(
  type: DocumentParameter['type'],
  raw: unknown,
): ParameterValue | undefined {
  switch (type) {
    case 'String':
      return typeof raw === 'string' ? raw : undefined;
    case 'Integer':
      return integerOf(raw);
    case 'Boolean':
      if (raw === 'true' || raw === 'false') return raw === 'true';
      return typeof raw === 'boolean' ? raw : undefined;
    case 'StringList':
      return Array.isArray(raw) && raw.every((item) => typeof item === 'string') ? raw : undefined;
    case 'StringMap':
      return stringMapOf(raw);
    case 'MapList':
      return Array.isArray(raw) ? mapListOf(raw) : undefined;
    default:
      return undefined;
  }
}

function integerOf(raw: unknown): number | undefined {
  const value = typeof raw === 'string' && /^-?\d{1,15}$/.test(raw.trim()) ? Number(raw) : raw;
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

function stringMapOf(raw: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return undefined;
  const allText = Object.values(raw).every((value) => typeof value === 'string');
  return allText ? (raw as Record<string, string>) : undefined;
}

function mapListOf(raw: readonly unknown[]): Readonly<Record<string, string>>[] | undefined {
  const maps = raw.map(stringMapOf);
  return maps.every((map) => map !== undefined) ? maps : undefined;
}

/** Constraints that a value of the correct type violates. Paths are relative to the parameter. */
export function brokenConstraints(
  parameter: DocumentParameter,
  value: ParameterValue,
  matcher: PatternMatcher = matchHere,
): readonly FieldIssue[] {
  const issues: FieldIssue[] = [];
  const texts = textsOf(value);
  const { allowedPattern, allowedValues } = parameter;
  const allowed = allowedValues && new Set(allowedValues.map(String));
  const values = listed(allowedValues ?? []);
  const matches =
    allowedPattern === undefined
      ? null
      : matcher(
          allowedPattern,
          texts.map(({ text }) => String(text)),
        );
  for (const [index, { path, text }] of texts.entries()) {
    if (allowed?.has(String(text)) === false) issues.push(fieldIssue(path, 'one-of', { values }));
    if (allowedPattern !== undefined && matches?.[index] === false) {
      issues.push(fieldIssue(path, 'pattern', { pattern: allowedPattern }));
    }
  }
  const size = typeof value === 'string' ? value.length : null;
  issues.push(...outside(size, parameter.minChars, parameter.maxChars, 'characters'));
  issues.push(...outside(itemCount(value), parameter.minItems, parameter.maxItems, 'items'));
  return issues;
}

function textsOf(
  value: ParameterValue,
): { path: readonly (string | number)[]; text: string | number | boolean }[] {
  if (typeof value !== 'object') return [{ path: [], text: value }];
  if (!Array.isArray(value)) {
    return Object.entries(value).map(([key, text]) => ({ path: [key], text: String(text) }));
  }
  return value.flatMap((item: string | Readonly<Record<string, string>>, index) =>
    typeof item === 'string'
      ? [{ path: [index], text: item }]
      : Object.entries(item).map(([key, text]) => ({ path: [index, key], text })),
  );
}

/** Error messages list at most this many values. */
const LISTED_VALUES = 20;

function listed(values: readonly (string | number | boolean)[]): string {
  const first = values.slice(0, LISTED_VALUES).join(', ');
  return values.length > LISTED_VALUES ? `${first}, …` : first;
}

function itemCount(value: ParameterValue): number | null {
  if (typeof value !== 'object') return null;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

function outside(
  size: number | null,
  min: number | undefined,
  max: number | undefined,
  unit: 'characters' | 'items',
): FieldIssue[] {
  if (size === null) return [];
  if (min !== undefined && size < min) {
    return [fieldIssue([], 'size', { bound: 'least', size: min, unit })];
  }
  if (max !== undefined && size > max) {
    return [fieldIssue([], 'size', { bound: 'most', size: max, unit })];
  }
  return [];
}
