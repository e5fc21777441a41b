import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { say, type Sentence } from '../core/language.ts';

export interface Done {
  readonly code: 200;
  readonly message: string;
}

/** Result of a call that returns only success. */
export function done(client: IdentityClient, sentence: Sentence): Done {
  return { code: 200, message: say(client.options.lang, sentence) };
}

/**
 * Links the account of the second token to the account of the first one, as another way to sign in.
 */
export async function linkAccount(
  client: IdentityClient,
  tokens: { readonly primaryUserToken: string; readonly secondaryUserToken: string },
  { signal }: CallOptions = {},
): Promise<Done> {
  const { primaryUserToken, secondaryUserToken } = tokens;
  const body = { primaryUserToken, secondaryUserToken };
  await client.rest({ method: 'POST', path: '/api/v2/users/link', body, signal });
  return done(client, { zh: '绑定成功', en: 'Linked' });
}

/** Unlinks an external account from the user. */
export async function unlinkAccount(
  client: IdentityClient,
  { primaryUserToken, provider }: { readonly primaryUserToken: string; readonly provider: string },
  { signal }: CallOptions = {},
): Promise<Done> {
  const body = { primaryUserToken, provider };
  await client.rest({ method: 'POST', path: '/api/v2/users/unlink', body, signal });
  return done(client, { zh: '解绑成功', en: 'Unlinked' });
}
