import { SignInError } from '../sign-in-error.ts';

/** Thrown by the library if no challenge was started or it has expired. */
const NO_CHALLENGE = 'SignInException';

/**
 * Maps the user pool’s exceptions to the error catalog (docs/design/sign-in.md, section 8). Other
 * errors are returned unchanged.
 */
export function cognitoSignInError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof SignInError) return error;
  const { name, message } = error;
  if (name === 'UserNotFoundException' || name === 'UserLambdaValidationException')
    return new SignInError('loginUserDoesNotExist', { cause: error });
  if (name === 'NotAuthorizedException' && message.includes('Incorrect'))
    return new SignInError('loginUserNotAuthorized', { cause: error });
  const isOver = name === 'NotAuthorizedException' && message.includes('Invalid session');
  if (isOver || name === NO_CHALLENGE)
    return new SignInError('loginInvalidSession', { cause: error });
  return error;
}
