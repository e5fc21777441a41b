import { createIdentityClient, type IdentityClient } from '@deviceportal/identity-client';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import type { Language } from '../i18n/languages.ts';
import { session } from '../session/session.ts';
import { subjectOf } from '../session/subject-of.ts';

/** The user’s account at the provider of the set `authing`. */
export interface Account {
  readonly client: IdentityClient;
  /**
   * Calls the provider with a token that is valid for a while. Rejects with 2001 without a session.
   */
  run<Result>(work: (client: IdentityClient) => Promise<Result>): Promise<Result>;
}

/** The provider’s client for this page. The portal manages the session and its tokens itself. */
export function openAccount(
  provider: NonNullable<BrowserConfig['authing']>,
  language: Language,
): Account {
  let token: string | null = null;
  const client = createIdentityClient({
    appId: provider.appId,
    appHost: new URL(provider.host, location.origin).href,
    lang: language === 'zh-CN' ? 'zh-CN' : 'en-US',
    session: {
      getToken: () => token,
      getUser: () => (token === null ? null : { id: subjectOf(token) }),
      setToken: () => undefined,
      setUser: () => undefined,
      clearUser: () => undefined,
    },
  });
  return {
    client,
    async run(work) {
      token = await session.idToken();
      return work(client);
    },
  };
}
