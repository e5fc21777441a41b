import { IdentityProvider } from '../identity-provider.ts';
import type { PortalSession } from '../session-keeper.ts';
import type { SignInLayer } from '../sign-in-layer.ts';
import { availableLibrary, signInLibrary } from '../sign-in-library.ts';
import { deleteStoredTokens } from './stored-session.ts';
import { toSession } from '../to-session.ts';
import type { CognitoAuthenticationOptions } from './cognito-authentication.ts';

/** Loaded on demand, because signed-in users do not need this half of the library. */
const authentication = () => import('./cognito-authentication.ts');

export interface CognitoLayerOptions extends CognitoAuthenticationOptions {
  /** The stored session without the library; undefined if that must decide. */
  readonly readStored: () => PortalSession | null | undefined;
}

/** Signs in at a user pool with its custom challenge (CUSTOM_AUTH without a password). */
export function createCognitoLayer(options: CognitoLayerOptions): SignInLayer {
  const clearTokens = async (): Promise<void> => {
    const library = await availableLibrary();
    if (library === undefined) deleteStoredTokens();
    else await library.tokens.tokenOrchestrator.clearTokens();
  };
  const readSession: SignInLayer['readSession'] = async ({ refresh }) => {
    const stored = refresh ? undefined : options.readStored();
    if (stored !== undefined) return stored;
    const { tokens } = await signInLibrary();
    const idToken = (await tokens.getTokens({ forceRefresh: refresh }))?.idToken;
    return idToken === undefined ? null : toSession(idToken);
  };
  return {
    provider: IdentityProvider.COGNITO,
    identifierKinds: ['username', 'email', 'phone'],
    prepare: async () => void (await Promise.all([authentication(), signInLibrary()])),
    async startAuthentication(identifier) {
      // The pool rejects a sign-in with a leftover session as “already signed in”.
      await clearTokens();
      return (await authentication()).startChallenge(options, identifier);
    },
    resendCode: async (challenge) => (await authentication()).resendChallenge(options, challenge),
    async submitCode(challenge, code) {
      const { answerChallenge } = await authentication();
      const stored = { ...options, readSession: () => readSession({ refresh: false }) };
      return answerChallenge(stored, challenge, code);
    },
    passkeys: {
      async signIn() {
        await clearTokens();
        return (await authentication()).signInWithPasskey(() => readSession({ refresh: false }));
      },
      async offer(signal) {
        const [{ offerPasskeys }, { translated }] = await Promise.all([
          import('./passkey-autofill.ts'),
          authentication(),
        ]);
        const finish = await translated(() => offerPasskeys(signal));
        return () =>
          translated(async () => {
            await finish();
            const session = await readSession({ refresh: false });
            if (session === null) throw new Error('The tokens were not stored.');
            return session;
          });
      },
      async answer(text) {
        const stored = { ...options, readSession: () => readSession({ refresh: false }) };
        return (await authentication()).answerPasskey(stored, text);
      },
    },
    readSession,
    async readTokens() {
      const { tokens } = await signInLibrary();
      const { idToken, accessToken } = (await tokens.getTokens()) ?? {};
      return idToken === undefined || accessToken === undefined ? null : { idToken, accessToken };
    },
    endSession: async () => (await authentication()).endSession(),
    clearTokens,
  };
}
