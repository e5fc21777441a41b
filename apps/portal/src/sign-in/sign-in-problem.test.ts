import { describe, expect, it } from 'vitest';
import { IdentityError } from '@deviceportal/identity-client';
import { SignInError } from '../session/sign-in-error.ts';
import { endsSignIn, signInProblem } from './sign-in-problem.ts';

const thrown = (name: string, message = ''): Error => Object.assign(new Error(message), { name });
const facts = { step: 'identifier', online: true, nowMs: 1_000 } as const;

describe('messages for a failed sign-in', () => {
  it.each([
    ['an unknown user, at the field', new SignInError('loginUserDoesNotExist'), 'noUser', 'field'],
    ['a user without access', new SignInError('loginUserNotAuthorized'), 'notAuthorized', 'card'],
    ['a session that is over', new SignInError('loginInvalidSession'), 'tookTooLong', 'card'],
    [
      'a suspended user',
      thrown('NotAuthorizedException', 'User is disabled.'),
      'suspended',
      'card',
    ],
    ['an account that is not set up', thrown('UserNotConfirmedException'), 'notReady', 'card'],
    [
      'an address that takes no message',
      thrown(
        'UnexpectedLambdaException',
        'The code could not be delivered: the address or number was refused.',
      ),
      'refusedAddress',
      'card',
    ],
    ['no answer', thrown('NetworkError'), 'noConnection', 'card'],
    ['a failing pool', thrown('InternalErrorException'), 'service', 'card'],
    [
      'a failing provider',
      new SignInError('unknown', {
        cause: new IdentityError('x', { code: 503, source: 'http' }),
      }),
      'service',
      'card',
    ],
    [
      'no answer of the provider',
      new SignInError('unknown', {
        cause: new IdentityError('x', { code: 500, source: 'network' }),
      }),
      'noConnection',
      'card',
    ],
    ['a bug', new RangeError('a bug'), 'unknown', 'card'],
  ] as const)('[problem-1] %s', (_what, error, kind, place) => {
    expect(signInProblem(error, facts)).toMatchObject({ kind, place });
  });

  it('without a network, the message is about the network', () => {
    const problem = signInProblem(thrown('NetworkError'), { ...facts, online: false });
    expect(problem.kind).toBe('offline');
  });

  it('the same rejection after a code means that no attempts are left', () => {
    const problem = signInProblem(new SignInError('loginUserNotAuthorized'), {
      ...facts,
      step: 'code',
    });
    expect(problem.kind).toBe('tooManyTries');
    expect(endsSignIn(problem)).toBe(true);
  });

  it.each([
    ['Attempt limit exceeded, please try again in 240 s.', 'limit', 241_000],
    ['Attempt limit exceeded, please try after some time.', 'limit', 61_000],
    ['The account is locked, please try again in 15 min.', 'locked', 901_000],
  ] as const)('%s', (message, kind, waitUntilMs) => {
    const error = thrown('TooManyRequestsException', message);
    expect(signInProblem(error, facts)).toMatchObject({ kind, waitUntilMs });
  });

  it('recognizes a lockout of a hosted pool in any exception', () => {
    const error = thrown('NotAuthorizedException', 'Password attempts exceeded');
    expect(signInProblem(error, facts).kind).toBe('locked');
  });

  it('a 429 response of the provider is a rate limit', () => {
    const cause = new IdentityError('slow down', { code: 429, source: 'http' });
    const problem = signInProblem(new SignInError('unknown', { cause }), facts);
    expect(problem).toMatchObject({ kind: 'limit', waitUntilMs: 61_000 });
  });
});
