import type { ProviderUser, UserChange } from '../../../src/accounts/provider-user.ts';
import type { OpenProvider } from './open-provider.ts';

/** An answer in the contract's envelope; `code` is that of `statusCode` where the call is one of those. */
export interface RestAnswer {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

/** Calls as any program could: no client in between. */
export async function call(
  { host, appId }: Pick<OpenProvider, 'host' | 'appId'>,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  { body, token }: { readonly body?: unknown; readonly token?: string } = {},
): Promise<RestAnswer> {
  const reply = await fetch(host + path, {
    method,
    headers: {
      'x-authing-app-id': appId,
      'x-authing-lang': 'en-US',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = (await reply.json()) as Record<string, unknown>;
  return {
    status: reply.status,
    code: Number(answer['code'] ?? answer['statusCode']),
    message: String(answer['message']),
    data: answer['data'],
  };
}

/** Somebody new who is signed in. */
export async function signIn(
  idp: OpenProvider,
  email: string,
  more: UserChange = {},
): Promise<{ readonly user: ProviderUser; readonly token: string }> {
  const user = await idp.makeUser({ email, emailVerified: true, ...more });
  const { token } = await idp.context.tokens.startSession(user, {
    appId: idp.appId,
    method: 'password',
    address: '127.0.0.1',
  });
  return { user, token };
}
