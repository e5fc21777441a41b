import type { JWT } from '@aws-amplify/core';
import { decodeJWT } from '@aws-amplify/core';
import { LOGIN_CODE_RESEND_MS, LOGIN_CODE_VALIDITY_MS } from '@deviceportal/contract/constants';
import type { Challenge } from '../challenge.ts';
import { identifierKindOf, maskIdentifier, splitPhone } from '../identifier-input.ts';
import { IdentityProvider } from '../identity-provider.ts';
import type { PortalSession } from '../session-keeper.ts';
import { SignInError } from '../sign-in-error.ts';
import type { SignInLayer } from '../sign-in-layer.ts';
import { toSession } from '../to-session.ts';
import type { AuthingOperations } from './authing-operations.ts';
import { authingSignInError } from './authing-sign-in-error.ts';
import { isIdentityError } from './is-identity-error.ts';
import type { AuthingTokenStore } from './authing-token-store.ts';

export interface AuthingLayerOptions {
  readonly operations: AuthingOperations;
  readonly store: AuthingTokenStore;
  readonly codeLength: number;
  readonly nowMs: () => number;
}

/**
 * Signs in at the external provider: checks that the user exists, sends a code, and signs in with
 * it.
 */
export function createAuthingLayer(options: AuthingLayerOptions): SignInLayer {
  const { operations, store, nowMs } = options;
  const send = (identifier: string): Promise<Challenge> =>
    translated('send', async () => {
      const { kind, email, phone } = addressOf(identifier);
      const exists = await operations.isUserExists({
        ...(kind === 'email' && { email }),
        ...(kind === 'phone' && { phone: phone.number }),
        ...(kind === 'username' && { username: identifier }),
      });
      if (exists !== true)
        throw new SignInError('loginUserDoesNotExist', { message: 'user does not exist' });
      if (kind === 'email') await operations.sendLoginEmail(email);
      else if (kind === 'phone') await operations.sendLoginSms(phone);
      else throw new SignInError('loginUserNotAuthorized', { message: 'user not authorized' });
      return challengeFor(identifier, options);
    });
  const logIn = (identifier: string, code: string): Promise<PortalSession> =>
    translated('login', async () => {
      const { kind, email, phone } = addressOf(identifier);
      const user =
        kind === 'email'
          ? await operations.loginByEmailCode(email, code)
          : await operations.loginByPhoneCode(phone, code);
      const { token } = user;
      const session = sessionOf(token, user, nowMs());
      if (!token || session === null) throw new SignInError('invalidLoginCode');
      await store.store({ ...user, token });
      return session;
    });
  return {
    provider: IdentityProvider.AUTHING,
    identifierKinds: ['email', 'phone'],
    prepare: () => Promise.resolve(),
    startAuthentication: async (identifier) => {
      await store.clear();
      return send(identifier);
    },
    resendCode: ({ identifier }) => send(identifier),
    submitCode: ({ identifier }, code) => logIn(identifier, code),
    async acceptUser({ id, token, email, phone, name }) {
      const facts = { email, phone, name };
      const session = sessionOf(token, facts, nowMs());
      if (!token || session === null) throw new SignInError('invalidLoginCode');
      await store.store({ id, token, ...facts });
      return session;
    },
    readSession: ({ refresh }) => readSession(options, refresh),
    async readTokens() {
      const idToken = decode(await store.token());
      return idToken === null ? null : { idToken, accessToken: idToken };
    },
    async endSession() {
      const token = await store.token();
      if (token !== null) await operations.logout(token);
    },
    clearTokens: () => store.clear(),
  };
}

async function readSession(
  { operations, store, nowMs }: AuthingLayerOptions,
  refresh: boolean,
): Promise<PortalSession | null> {
  const token = await store.token();
  const stored = sessionOf(token, await store.user(), 0);
  if (token === null || stored === null) return null;
  // An expired token cannot be refreshed, because the provider requires a valid one.
  if (stored.expiresAt <= nowMs()) {
    await store.clear();
    return null;
  }
  if (!refresh) return stored;
  try {
    const renewed = await operations.refreshToken(token);
    await store.storeToken(renewed);
    return sessionOf(renewed, await store.user(), nowMs());
  } catch (error) {
    if (!isIdentityError(error) || error.source !== 'provider') throw error;
    await store.clear();
    return null;
  }
}

/** Null for an invalid token, or one that has expired at `nowMs`. */
function sessionOf(
  token: string | null | undefined,
  facts: Parameters<typeof toSession>[1],
  nowMs: number,
): PortalSession | null {
  const decoded = decode(token);
  if (decoded === null) return null;
  const session = toSession(decoded, facts);
  return session.expiresAt > nowMs ? session : null;
}

function decode(token: string | null | undefined): JWT | null {
  try {
    return token ? decodeJWT(token) : null;
  } catch {
    return null;
  }
}

function addressOf(identifier: string) {
  return { kind: identifierKindOf(identifier), email: identifier, phone: splitPhone(identifier) };
}

/**
 * The provider sends no code parameters, so the product’s own times are used
 * (docs/design/decisions.md, section 8).
 */
function challengeFor(identifier: string, { codeLength, nowMs }: AuthingLayerOptions): Challenge {
  const sentAtMs = nowMs();
  return {
    identifier,
    medium: identifierKindOf(identifier) === 'phone' ? 'sms' : 'email',
    destination: maskIdentifier(identifier),
    codeLength,
    sentAtMs,
    poolSentAtMs: null,
    expiresAtMs: sentAtMs + LOGIN_CODE_VALIDITY_MS,
    resendAfterMs: sentAtMs + LOGIN_CODE_RESEND_MS,
    attemptsLeft: null,
  };
}

async function translated<Result>(
  step: 'send' | 'login',
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw authingSignInError(error, step);
  }
}
