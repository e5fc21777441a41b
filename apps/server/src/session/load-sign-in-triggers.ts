import { pathToFileURL } from 'node:url';
import type { ChallengeTriggers } from '@deviceportal/identity/challenge-triggers';
import { StartError } from '../platform/process/start-error.ts';

const NAMES = [
  'defineAuthChallenge',
  'createAuthChallenge',
  'verifyAuthChallengeResponse',
] as const satisfies readonly (keyof ChallengeTriggers)[];

/**
 * Loads the challenge triggers of an operator's module; those that it does not export keep the default of the
 * one-time code. The functions have the signature that a hosted pool calls, so that one module serves both.
 * @throws StartError when the module does not exist or exports no trigger
 */
export async function loadSignInTriggers(file: string): Promise<Partial<ChallengeTriggers>> {
  const module = await importModule(file);
  const found = NAMES.filter((name) => module[name] !== undefined);
  const wrong = found.find((name) => typeof module[name] !== 'function');
  if (wrong !== undefined)
    throw new StartError(`${file} exports ${wrong}, which is not a function.`);
  if (found.length === 0) {
    throw new StartError(
      `${file} (DEVICEPORTAL_SIGN_IN_TRIGGERS) exports none of ${NAMES.join(', ')}.`,
    );
  }
  return Object.fromEntries(found.map((name) => [name, module[name]]));
}

async function importModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new StartError(
      `${file} (DEVICEPORTAL_SIGN_IN_TRIGGERS) could not be loaded: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}
