import { describe, expect, it } from 'vitest';
import { SignInError } from '../sign-in-error.ts';
import { cognitoSignInError } from './cognito-sign-in-error.ts';

const thrown = (name: string, message = ''): Error => Object.assign(new Error(message), { name });

describe('mapping of the user pool’s exceptions to the catalog (sign-in specification, section 8)', () => {
  it.each([
    [
      'UserNotFoundException',
      'User does not exist.',
      3000,
      'loginUserDoesNotExist',
      'login user does not exist',
    ],
    [
      'UserLambdaValidationException',
      'CreateAuthChallenge failed with error x.',
      3000,
      'loginUserDoesNotExist',
      'login user does not exist',
    ],
    [
      'NotAuthorizedException',
      'Incorrect username or password.',
      3002,
      'loginUserNotAuthorized',
      'login user not authorized',
    ],
    [
      'NotAuthorizedException',
      'Invalid session for the user.',
      3003,
      'loginInvalidSession',
      'login invalid session',
    ],
    [
      'NotAuthorizedException',
      'Invalid session for the user, session is expired.',
      3003,
      'loginInvalidSession',
      'login invalid session',
    ],
    [
      'NotAuthorizedException',
      'Invalid session for the user, session can only be used once.',
      3003,
      'loginInvalidSession',
      'login invalid session',
    ],
    [
      'SignInException',
      'An error occurred during the sign in process.',
      3003,
      'loginInvalidSession',
      'login invalid session',
    ],
  ])('%s (%s) is %i', (exception, text, code, name, message) => {
    const cause = thrown(exception, text);
    const error = cognitoSignInError(cause);
    expect(error).toBeInstanceOf(SignInError);
    expect(error).toMatchObject({ code, name, message, cause });
  });

  it.each([
    ['NotAuthorizedException', 'User is disabled.'],
    ['TooManyRequestsException', 'Attempt limit exceeded, please try again in 30 s.'],
    ['InternalErrorException', 'Something went wrong.'],
    ['NetworkError', 'A network error has occurred.'],
    ['RangeError', 'a bug'],
  ])('%s (%s) is returned unchanged', (name, message) => {
    const error = thrown(name, message);
    expect(cognitoSignInError(error)).toBe(error);
  });

  it('a mapped error keeps its code and the next challenge', () => {
    const error = new SignInError('invalidLoginCode');
    expect(cognitoSignInError(error)).toBe(error);
  });
});
