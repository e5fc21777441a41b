import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import type { SignInLibrary } from './open-library.ts';

let configured: BrowserConfig | undefined;
let loading: Promise<SignInLibrary> | undefined;

export function setLibraryConfig(config: BrowserConfig): void {
  configured = config;
}

/**
 * Loads and configures Amplify, once per page. 23 kB (gzip) that neither the sign-in form nor a page of a signed-in user
 * needs before it is on screen.
 */
export function signInLibrary(): Promise<SignInLibrary> {
  loading ??= load();
  return loading;
}

async function load(): Promise<SignInLibrary> {
  if (configured === undefined) throw new Error('Sign-in is not configured yet.');
  const { openLibrary } = await import('./open-library.ts');
  return openLibrary(configured);
}

/** Milliseconds for which the end of a session waits for the library. */
const END_LIMIT_MS = 3_000;

/** The library, unless it cannot be loaded at present. */
export function availableLibrary(): Promise<SignInLibrary | undefined> {
  const limit = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), END_LIMIT_MS);
  });
  return Promise.race([signInLibrary(), limit]);
}
