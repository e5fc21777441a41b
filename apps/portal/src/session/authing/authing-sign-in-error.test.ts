import { describe, expect, it } from 'vitest';
import { SignInError } from '../sign-in-error.ts';
import { IdentityError } from '@deviceportal/identity-client';
import { authingSignInError } from './authing-sign-in-error.ts';

const refusal = (code: number) => new IdentityError('no', { code, source: 'provider' });

describe('mapping of the external provider’s errors to the catalog', () => {
  it.each([
    ['2224 while sending the e-mail', refusal(2224), 'send', 3002, 'user not authorized'],
    ['another refusal while sending', refusal(2333), 'send', -1, 'unknown'],
    ['no valid session after the code', refusal(2001), 'login', 3001, 'invalid login code'],
    [
      'a failing provider while sending',
      new IdentityError('x', { code: 503, source: 'http' }),
      'send',
      -1,
      'unknown',
    ],
    [
      'a failing provider while logging in, which says nothing of the code',
      new IdentityError('x', { code: 503, source: 'http' }),
      'login',
      -1,
      'unknown',
    ],
    [
      'no answer while logging in',
      new IdentityError('x', { code: 500, source: 'network' }),
      'login',
      -1,
      'unknown',
    ],
  ] as const)('%s', (_what, cause, step, code, message) => {
    expect(authingSignInError(cause, step)).toMatchObject({ code, message, cause });
  });

  it.each([new RangeError('a bug'), new SignInError('loginUserDoesNotExist')])(
    'unknown errors are returned unchanged',
    (error) => {
      expect(authingSignInError(error, 'send')).toBe(error);
    },
  );
});
