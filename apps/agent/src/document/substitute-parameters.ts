/**
 * Replaces `{{ name }}` in the inputs of a step, as SSM does: a text that is nothing but one reference takes
 * the value with its type, anywhere else the value becomes text (lists and maps as JSON). One pass: what a
 * value brings in is never looked at again. References that name no parameter stay as they are; `{{ssm:name}}` is one
 * to the values that the server sends with the document.
 *
 * Text put into a shell script is text of the script, here as on SSM: `allowedPattern` is what keeps it
 * harmless. A parameter with `interpolationType: ENV_VAR` is therefore never put into a script; every
 * parameter is also in the environment as `SSM_<name>`, where the script can quote it.
 */

import type { ParameterValue } from '@deviceportal/contract/ssm-document';

const NAME = String.raw`([a-zA-Z][a-zA-Z0-9_]{0,63}|ssm(?:-secure)?:[a-zA-Z0-9_.\-/:]{1,1011})`;
const REFERENCE = new RegExp(String.raw`\{\{\s*${NAME}\s*\}\}`, 'g');
const ONLY_REFERENCE = new RegExp(String.raw`^\s*\{\{\s*${NAME}\s*\}\}\s*$`);

export type SubstitutionValues = Readonly<Record<string, ParameterValue>>;

/** The input with every reference replaced; objects and lists are walked, keys stay. */
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

/** `SSM_<name>` for every parameter: lists of texts one item a line, lists of maps and maps as JSON. */
export function parameterEnvironment(values: SubstitutionValues): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`SSM_${name}`, environmentText(value)]),
  );
}

function environmentText(value: ParameterValue): string {
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
  // A NUL cannot stand in an environment: the process would not start at all.
  return (isTexts ? value.join('\n') : parameterText(value)).replaceAll('\0', '');
}
