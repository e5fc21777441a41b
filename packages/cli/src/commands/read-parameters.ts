import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { OperationOutput } from '@deviceportal/contract/public-api';
import type { ApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';

type Parameter = OperationOutput<'getDocument'>['parameters'][number];

export interface GivenParameters {
  /** `key=value`; several of one key are a list. */
  readonly pairs: readonly string[];
  /** A file with JSON, or `-` for the standard input, which keeps secrets out of the arguments. */
  readonly file: string | undefined;
}

/**
 * The parameters of a run. Types are those of the document if the token can read it; otherwise, values are sent as text.
 * @throws CliError for a value that does not have its type
 */
export async function readParameters(
  api: ApiClient,
  context: Pick<CliContext, 'stdin'>,
  { given, document }: { readonly given: GivenParameters; readonly document: string | null },
): Promise<Record<string, unknown>> {
  const ofFile = given.file === undefined ? {} : await readJson(context, given.file);
  if (given.pairs.length === 0) return ofFile;
  const declared = await declaredParameters(api, document);
  const byKey = new Map<string, string[]>();
  for (const pair of given.pairs) {
    const at = pair.indexOf('=');
    if (at < 1) throw usage(`A parameter has the form key=value: ${pair}`);
    const key = pair.slice(0, at);
    byKey.set(key, [...(byKey.get(key) ?? []), pair.slice(at + 1)]);
  }
  const typed = [...byKey].map(([key, values]) => {
    const parameter = declared.find(({ name }) => name === key);
    return [key, valueOf(key, values, parameter?.type)] as const;
  });
  return { ...ofFile, ...Object.fromEntries(typed) };
}

async function declaredParameters(
  api: ApiClient,
  document: string | null,
): Promise<readonly Parameter[]> {
  if (document === null) return [];
  const [name = document] = document.split(':');
  try {
    return (await api.call('getDocument', { params: { document: name } })).parameters;
  } catch (error) {
    if (error instanceof CliError && error.exitCode === exitCodes.denied) return [];
    throw error;
  }
}

function valueOf(key: string, values: readonly string[], type = 'String'): unknown {
  const [value = ''] = values;
  if (type.endsWith('List')) return values;
  if (values.length > 1) throw usage(`The parameter ${key} is given more than once.`);
  if (type === 'Integer' || type === 'Number') {
    const number = Number(value);
    if (value.trim() === '' || !Number.isFinite(number)) {
      throw usage(`The parameter ${key} must be a number.`);
    }
    return number;
  }
  if (type === 'Boolean') {
    if (value === 'true' || value === 'false') return value === 'true';
    throw usage(`The parameter ${key} must be true or false.`);
  }
  return type.endsWith('Map') ? parseJson(value, `The parameter ${key}`) : value;
}

async function readJson(
  { stdin }: Pick<CliContext, 'stdin'>,
  file: string,
): Promise<Record<string, unknown>> {
  const content = file === '-' ? await text(stdin) : await readFile(file, 'utf8');
  const value = parseJson(content, file === '-' ? 'The standard input' : file);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw usage('The parameters must be a JSON object.');
}

function parseJson(content: string, what: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch {
    throw usage(`${what} is not valid JSON.`);
  }
}

const usage = (message: string): CliError => new CliError(message, { exitCode: exitCodes.usage });
