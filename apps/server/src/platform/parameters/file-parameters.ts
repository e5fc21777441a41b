import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import {
  isWanted,
  ParameterStoreError,
  type NamedParameter,
  type ParameterPort,
} from './parameter-port.ts';

const entry = z.union([
  z.string(),
  z.strictObject({
    value: z.string(),
    type: z.enum(['String', 'StringList', 'SecureString']).default('String'),
    version: z.int().positive().default(1),
  }),
]);
const fileSchema = z.record(z.string().regex(/^[a-zA-Z0-9_.\-/]{1,1000}$/), entry);

/**
 * Parameters from a JSON file, which is read at each use, so that edits apply immediately:
 * `{"banner": "Hello", "wifi.key": {"type": "SecureString", "value": "…", "version": 2}}`. Without
 * the file, there are no parameters.
 */
export function createFileParameters(path: string): ParameterPort {
  return {
    async read(wanted) {
      const all = await readAll(path);
      return wanted.flatMap((one) => all.filter((found) => isWanted(found, one)).slice(0, 1));
    },
  };
}

async function readAll(path: string): Promise<NamedParameter[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new ParameterStoreError('the parameter file cannot be read');
  }
  const parsed = fileSchema.safeParse(parseJson(text));
  // The error does not contain the file's values.
  if (!parsed.success) throw new ParameterStoreError('the parameter file is not valid');
  return Object.entries(parsed.data).map(([name, given]) =>
    typeof given === 'string'
      ? { name, type: 'String', version: 1, value: given }
      : { name, ...given },
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
