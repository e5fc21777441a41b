import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';

/**
 * Asks the browser for a passkey.
 * @param options `PublicKeyCredentialRequestOptionsJSON`, as text
 * @returns the credential as JSON; undefined if the user closed the browser’s dialog
 */
export async function askForPasskey(options: string): Promise<string | undefined> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  try {
    const optionsJSON = JSON.parse(options) as PublicKeyCredentialRequestOptionsJSON;
    return JSON.stringify(await startAuthentication({ optionsJSON }));
  } catch (error) {
    if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)) {
      return undefined;
    }
    throw error;
  }
}
