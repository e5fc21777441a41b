import { PortalError } from '@deviceportal/contract/errors';

const SERVICE_LIMITS = new Set(['TooManyRequestsException', 'LimitExceededException']);

/** Too many tries or codes: the person has to wait. */
export class SignInLimitError extends Error {
  override readonly name = 'SignInLimitError';
}

/** The user pool itself failed; its exception's name helps whoever has to mend it. */
export class SignInServiceError extends Error {
  override readonly name = 'SignInServiceError';
  readonly exception: string;

  constructor(exception: string, cause: unknown) {
    super(exception, { cause });
    this.exception = exception;
  }
}

/**
 * The user pool's exceptions in the words of the error catalogue: no such user and a failing trigger 3000, not
 * authorized 3002, a session that is used up or unknown 3003. What is none of these is rethrown as it is.
 */
export function toSignInError(error: unknown): Error {
  if (!(error instanceof Error)) return new PortalError('unknown', { cause: error });
  if (error instanceof PortalError) return error;
  const { name, message } = error;
  if (SERVICE_LIMITS.has(name)) return new SignInLimitError(message, { cause: error });
  if (/invalid session/i.test(message) || name === 'SignInException') {
    return new PortalError('loginInvalidSession', { cause: error });
  }
  if (name === 'UserNotFoundException' || name === 'UserLambdaValidationException') {
    return new PortalError('loginUserDoesNotExist', { cause: error });
  }
  if (name === 'NotAuthorizedException' || name === 'UserNotConfirmedException') {
    return new PortalError('loginUserNotAuthorized', { cause: error });
  }
  if (name === 'NetworkError' || name === 'TypeError')
    return new PortalError('noConnection', { cause: error });
  return name.endsWith('Exception') ? new SignInServiceError(name, error) : error;
}
