/**
 * Replaces `{{ name }}` in the inputs of a step, as SSM does. A text that consists of a single
 * reference takes the typed value; elsewhere, the value is converted to text (lists and maps to
 * JSON). Substituted values are not substituted again. References to unknown parameters are not
 * changed. `{{ssm:name}}` refers to the values that the server sends with the document.
 *
 * As on SSM, text substituted into a shell script becomes part of the script, so `allowedPattern`
 * is needed to make it safe. A parameter with `interpolationType: ENV_VAR` is never substituted
 * into a script. All parameters are also environment variables named `SSM_<name>`, which scripts
 * can quote.
 */

import type { ParameterValue } from '@deviceportal/contract/ssm-document';

const NAME = String.raw`([a-zA-Z][a-zA-Z0-9_]{0,63}|ssm(?:-secure)?:[a-zA-Z0-9_.\-/:]{1,1011})`;
const REFERENCE = new RegExp(String.raw`\{\{\s*${NAME}\s*\}\}`, 'g');
const ONLY_REFERENCE = new RegExp(String.raw`^\s*\{\{\s*${NAME}\s*\}\}\s*$`);

export type SubstitutionValues = Readonly<Record<string, ParameterValue>>;

/**
 * Replaces all references in an input, including those in nested objects and lists. Keys are not
 * changed.
 */
export function substituteParameters(input: unknown, values: SubstitutionValues): unknown {
  if (typeof input === 'string') return substituteText(input, values);
  if (Array.isArray(input)) return input.map((item) => substituteParameters(item, values));
  if (typeof input === 'object' && input !== null) {
    return Object.fromEntries(
      Object.entries(input).map(([key, value]) => [key, substituteParameters(value, values)]),
    );
  }
  return input;
}

function substituteText(text: string, values: SubstitutionValues): unknown {
  const only = ONLY_REFERENCE.exec(text)?.[1];
  if (only !== undefined && Object.hasOwn(values, only)) return values[only];
  return text.replace(REFERENCE, (reference, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? reference : parameterText(value);
  });
}

function parameterText(value: ParameterValue): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * `SSM_<name>` for every parameter: lists of texts with one item per line, lists of maps and maps
 * as JSON.
 */
export function parameterEnvironment(values: SubstitutionValues): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`SSM_${name}`, environmentText(value)]),
  );
}

function environmentText(value: ParameterValue): string {
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
  // Environment variables cannot contain NUL. The process would not start.
  return (isTexts ? value.join('\n') : parameterText(value)).replaceAll('\0', '');
}
