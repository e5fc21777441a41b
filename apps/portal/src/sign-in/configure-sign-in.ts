import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { createCognitoLayer } from '../session/cognito/cognito-layer.ts';
import { readStoredSession } from '../session/cognito/stored-session.ts';
import { IdentityProvider, providerOf } from '../session/identity-provider.ts';
import { setLibraryConfig, signInLibrary } from '../session/sign-in-library.ts';
import { setSignInLayer } from '../session/sign-in-layer.ts';

/** Selects the provider. Call once per page. */
export async function configureSignIn(config: BrowserConfig): Promise<void> {
  setLibraryConfig(config);
  if (providerOf(config) === IdentityProvider.COGNITO) {
    const nowMs = (): number => Date.now();
    const readStored = () => readStoredSession(config, nowMs());
    setSignInLayer(createCognitoLayer({ codeLength: config.codeLength, nowMs, readStored }));
    return;
  }
  const [{ openAuthingLayer }, { storage }] = await Promise.all([
    import('../session/authing/open-authing-layer.ts'),
    signInLibrary(),
  ]);
  setSignInLayer(openAuthingLayer(config, storage));
}
