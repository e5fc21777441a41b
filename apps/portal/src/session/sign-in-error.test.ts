import { expect, it } from 'vitest';
import { SignInLimitError, SignInServiceError, toSignInError } from './sign-in-error.ts';

const thrown = (name: string, message = ''): Error => Object.assign(new Error(message), { name });

it.each([
  ['UserNotFoundException', 'User does not exist.', 3000],
  ['UserLambdaValidationException', 'CreateAuthChallenge failed with error x.', 3000],
  ['NotAuthorizedException', 'Incorrect username or password.', 3002],
  ['NotAuthorizedException', 'Invalid session for the user, session is expired.', 3003],
])('[sign-in-1] %s (%s) is %i', (name, message, code) => {
  expect(toSignInError(thrown(name, message))).toMatchObject({ code });
});

it('[sign-in-2] limits and faults of the service are told apart from refusals', () => {
  expect(toSignInError(thrown('TooManyRequestsException'))).toBeInstanceOf(SignInLimitError);
  expect(toSignInError(thrown('InternalErrorException'))).toBeInstanceOf(SignInServiceError);
});

it('[sign-in-3] an error of our own is rethrown as it is', () => {
  const error = new RangeError('a bug');
  expect(toSignInError(error)).toBe(error);
});
