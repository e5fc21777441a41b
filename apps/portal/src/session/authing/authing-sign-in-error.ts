import { secondStepOf } from '../second-step.ts';
import { SignInError } from '../sign-in-error.ts';
import { isIdentityError } from './is-identity-error.ts';

/**
 * The code with which the provider rejects sending an email to users without access to the
 * application.
 */
const NOT_AUTHORIZED = 2224;
const TOO_MANY_REQUESTS = 429;

/**
 * Maps errors of the external provider to the error catalog (docs/design/sign-in.md, section 8).
 * Other errors are returned unchanged.
 */
export function authingSignInError(error: unknown, step: 'send' | 'login'): unknown {
  if (!isIdentityError(error)) return error;
  const secondStep = secondStepOf(error);
  if (secondStep !== undefined) return secondStep;
  if (error.code === TOO_MANY_REQUESTS) return new SignInError('unknown', { cause: error });
  if (error.code === NOT_AUTHORIZED) {
    return new SignInError('loginUserNotAuthorized', {
      message: 'user not authorized',
      cause: error,
    });
  }
  const isNoSession = error.source === 'provider' || error.code === 'MALFORMED_REPLY';
  if (step === 'login' && isNoSession) return new SignInError('invalidLoginCode', { cause: error });
  return new SignInError('unknown', { cause: error });
}
