import { SignInError } from '../sign-in-error.ts';

/** What the library throws when it has no challenge to answer: none was started, or its time is over. */
const NO_CHALLENGE = 'SignInException';

/**
 * The user pool's exceptions in the words of the error catalog (docs/design/sign-in.md, section 8). What is none of
 * them is answered as it came, for the caller to throw again.
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
