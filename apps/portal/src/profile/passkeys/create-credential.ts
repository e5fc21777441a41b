import type { startRegistration } from '@simplewebauthn/browser';

type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];

/**
 * Creates a passkey with the browser’s dialog.
 * @returns undefined if the user canceled it
 */
export async function createCredential(options: Options): Promise<object | undefined> {
  const { startRegistration: start } = await import('@simplewebauthn/browser');
  try {
    return await start({ optionsJSON: options });
  } catch (error) {
    if (isCanceled(error)) return undefined;
    throw error;
  }
}

/** The browser does not reveal whether the user canceled or the time ran out. */
function isCanceled(error: unknown): boolean {
  return (
    error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')
  );
}
