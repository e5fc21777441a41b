/**
 * Determines the value of every parameter of a document: the sent value or the default, validated
 * against type and limits. Follows SSM documents, schema 2.2. Like SSM, accepts text (`"5"`,
 * `"true"`) for Integer and Boolean.
 */

import type { FieldIssue } from '@deviceportal/contract/errors';
import type {
  DocumentParameter,
  ParameterValue,
  SsmDocument,
} from '@deviceportal/contract/ssm-document';
import { matchesAll } from './matches-all.ts';

export type BoundParameters = Readonly<Record<string, ParameterValue>>;

export interface ParameterBinding {
  readonly values: BoundParameters;
  /** Empty if all values are valid. */
  readonly issues: readonly FieldIssue[];
}

export function bindParameters(
  document: Pick<SsmDocument, 'parameters'>,
  given: Readonly<Record<string, unknown>>,
): ParameterBinding {
  const declared = document.parameters ?? {};
  const values: Record<string, ParameterValue> = {};
  const issues: FieldIssue[] = [];
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(declared, name))
      issues.push({ path: [name], message: 'is not a parameter' });
  }
  for (const [name, parameter] of Object.entries(declared)) {
    const raw = Object.hasOwn(given, name) ? given[name] : parameter.default;
    if (raw === undefined || raw === null) {
      issues.push({ path: [name], message: 'is required' });
      continue;
    }
    const value = convert(parameter, raw);
    if (value === undefined) {
      issues.push({ path: [name], message: `is not a ${parameter.type}` });
      continue;
    }
    values[name] = value;
    for (const message of limitsBroken(parameter, value)) issues.push({ path: [name], message });
  }
  return { values, issues };
}

function convert(parameter: DocumentParameter, raw: unknown): ParameterValue | undefined {
  switch (parameter.type) {
    case 'String':
      return typeof raw === 'string' ? raw : undefined;
    case 'Integer':
      return toInteger(raw);
    case 'Boolean':
      return toBoolean(raw);
    case 'StringList':
      return Array.isArray(raw) && raw.every((item) => typeof item === 'string') ? raw : undefined;
    case 'StringMap':
      return toStringMap(raw);
    case 'MapList': {
      if (!Array.isArray(raw)) return undefined;
      const maps = raw.map(toStringMap);
      return maps.every((map) => map !== undefined) ? maps : undefined;
    }
    default:
      return undefined;
  }
}

function toInteger(raw: unknown): number | undefined {
  const value = typeof raw === 'string' && /^-?\d{1,15}$/.test(raw) ? Number(raw) : raw;
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

function toBoolean(raw: unknown): boolean | undefined {
  if (typeof raw === 'boolean') return raw;
  if (raw === 'true') return true;
  return raw === 'false' ? false : undefined;
}

function toStringMap(raw: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return undefined;
  const isText = Object.values(raw).every((value) => typeof value === 'string');
  return isText ? (raw as Record<string, string>) : undefined;
}

function limitsBroken(parameter: DocumentParameter, value: ParameterValue): string[] {
  const broken: string[] = [];
  const texts = Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [value];
  const { allowedValues, allowedPattern } = parameter;
  if (allowedValues && !texts.every((text) => allowedValues.some((allowed) => allowed === text))) {
    broken.push(`must be one of ${allowedValues.join(', ')}`);
  }
  if (allowedPattern !== undefined) {
    const plain = texts.filter((text) => typeof text !== 'object').map(String);
    if (!matchesAll(allowedPattern, plain)) broken.push(`must match ${allowedPattern}`);
  }
  if (typeof value === 'string') {
    broken.push(...outside(value.length, parameter.minChars, parameter.maxChars, 'characters'));
  } else if (typeof value === 'object') {
    const size = Array.isArray(value) ? value.length : Object.keys(value).length;
    broken.push(...outside(size, parameter.minItems, parameter.maxItems, 'items'));
  }
  return broken;
}

function outside(
  size: number,
  min: number | undefined,
  max: number | undefined,
  unit: string,
): string[] {
  if (min !== undefined && size < min) return [`must have at least ${min} ${unit}`];
  if (max !== undefined && size > max) return [`must have at most ${max} ${unit}`];
  return [];
}
