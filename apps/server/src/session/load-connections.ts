import { readFile } from 'node:fs/promises';
import { connectionsSchema, type Connections } from '@deviceportal/identity/provider-connections';
import { StartError } from '../platform/process/start-error.ts';

const SETTING = 'DEVICEPORTAL_IDP_CONNECTIONS';

/**
 * Loads the connections to external providers from a JSON file. Error messages never contain its secrets.
 * @throws StartError with the path of each invalid value
 */
export async function loadConnections(file: string): Promise<Connections> {
  const refuse = (what: string): never => {
    throw new StartError(`${file} (${SETTING}) ${what}`);
  };
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) =>
    refuse(`cannot be read: ${error.code ?? 'unknown reason'}.`),
  );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('is not JSON.');
  }
  const parsed = connectionsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return refuse(`is not valid: ${wrong.join('; ')}.`);
}
