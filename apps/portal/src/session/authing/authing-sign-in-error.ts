import { secondStepOf } from '../second-step.ts';
import { SignInError } from '../sign-in-error.ts';
import { isIdentityError } from './is-identity-error.ts';

/** Sending the login e-mail is refused with this code to people who may not sign in to the application. */
const NOT_AUTHORIZED = 2224;
const TOO_MANY_REQUESTS = 429;

/**
 * The external provider's failures in the words of the error catalog (docs/design/sign-in.md, section 8). What is
 * none of the provider's is answered as it came, for the caller to throw again.
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
