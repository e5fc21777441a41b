import { checkParameters } from '@deviceportal/contract/command-parameters';
import type { FieldIssue } from '@deviceportal/contract/errors';
import type { DocumentParameter } from '@deviceportal/contract/ssm-document';

export interface Pair {
  readonly key: string;
  readonly value: string;
}

/** The value of a field while it is edited. Numbers are text until they are sent. */
export type FieldValue =
  | string
  | boolean
  | readonly string[]
  | readonly Pair[]
  | readonly (readonly Pair[])[];
export type FieldValues = Readonly<Record<string, FieldValue>>;
export type Parameters = Readonly<Record<string, DocumentParameter>>;

/** The initial fields of a document: given values of the right type, otherwise defaults. */
export function initialFields(
  parameters: Parameters,
  given: Readonly<Record<string, unknown>> = {},
): FieldValues {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [
      name,
      fieldOf(parameter, given[name]) ??
        fieldOf(parameter, parameter.default) ??
        emptyField(parameter),
    ]),
  );
}

/**
 * Applies edited fields to the defaults. A field edited for another command is kept if the
 * parameter has the same name and its value still fits.
 */
export function mergeFields(parameters: Parameters, edited: FieldValues): FieldValues {
  const fields: Record<string, FieldValue> = { ...initialFields(parameters) };
  for (const [name, parameter] of Object.entries(parameters)) {
    const value = Object.hasOwn(edited, name) ? edited[name] : undefined;
    if (value !== undefined && fits(parameter, value)) fields[name] = value;
  }
  return fields;
}

/**
 * The parameters to send. An empty field without a default is omitted, so that the server reports
 * it as required.
 */
export function parametersOf(parameters: Parameters, fields: FieldValues): Record<string, unknown> {
  const sent: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const value = sentValue(parameter, fields[name]);
    if (value !== undefined) sent[name] = value;
  }
  return sent;
}

/** The first problem of each parameter, by name. The rule is shared with the server. */
export function fieldIssuesOf(
  parameters: Parameters,
  fields: FieldValues,
): ReadonlyMap<string, FieldIssue> {
  return issuesByParameter(checkParameters(parameters, parametersOf(parameters, fields)).issues);
}

/** Problems by the parameter that they concern. */
export function issuesByParameter(issues: readonly FieldIssue[]): ReadonlyMap<string, FieldIssue> {
  const found = new Map<string, FieldIssue>();
  for (const issue of issues) {
    const name = String(issue.path[1] ?? '');
    if (issue.path[0] === 'parameters' && !found.has(name)) found.set(name, issue);
  }
  return found;
}

function emptyField({ type }: DocumentParameter): FieldValue {
  if (type === 'Boolean') return false;
  return type === 'String' || type === 'Integer' ? '' : [];
}

/** The field for a value. Undefined if the value does not have the type of the parameter. */
export function fieldOf({ type }: DocumentParameter, value: unknown): FieldValue | undefined {
  if (value === undefined || value === null) return undefined;
  switch (type) {
    case 'Boolean':
      if (value === 'true' || value === 'false') return value === 'true';
      return typeof value === 'boolean' ? value : undefined;
    case 'Integer':
      return typeof value === 'number' || typeof value === 'string' ? String(value) : undefined;
    case 'String':
      return typeof value === 'string' ? value : undefined;
    case 'StringList':
      return isTexts(value) ? value : undefined;
    case 'StringMap':
      return pairsOf(value);
    case 'MapList':
      return mapsOf(value);
    default:
      return undefined;
  }
}

function mapsOf(value: unknown): readonly (readonly Pair[])[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const maps = value.map(pairsOf);
  return maps.every((map) => map !== undefined) ? maps : undefined;
}

function pairsOf(value: unknown): readonly Pair[] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.entries(value).map(([key, text]) => ({ key, value: String(text) }));
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

function fits({ type, allowedValues }: DocumentParameter, value: FieldValue): boolean {
  if (type === 'Boolean') return typeof value === 'boolean';
  if (type === 'String' || type === 'Integer') {
    if (typeof value !== 'string') return false;
    return (
      allowedValues === undefined || allowedValues.some((allowed) => String(allowed) === value)
    );
  }
  if (!Array.isArray(value)) return false;
  if (type === 'StringList') return isTexts(value);
  if (type === 'StringMap') return value.every(isPair);
  return value.every((item) => Array.isArray(item) && item.every(isPair));
}

const isPair = (value: unknown): value is Pair =>
  typeof value === 'object' && value !== null && 'key' in value && 'value' in value;

function sentValue(parameter: DocumentParameter, value: FieldValue | undefined): unknown {
  if (value === undefined) return undefined;
  switch (parameter.type) {
    case 'String':
      // An emptied field is sent as empty text only if the parameter has a default to override.
      return value === '' && parameter.default === undefined ? undefined : value;
    case 'Integer':
      return sentInteger(value);
    case 'Boolean':
      return value;
    case 'StringList':
      return isTexts(value) ? value.filter((item) => item !== '') : [];
    case 'StringMap':
      return mapOf(value as readonly Pair[]);
    case 'MapList':
      return (value as readonly (readonly Pair[])[]).map(mapOf);
    default:
      return undefined;
  }
}

/** Text that is not a number is sent as is, so that the rule reports the problem. */
function sentInteger(value: FieldValue): unknown {
  const text = String(value).trim();
  if (text === '') return undefined;
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

function mapOf(pairs: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(
    pairs.filter(({ key }) => key.trim() !== '').map(({ key, value }) => [key.trim(), value]),
  );
}
