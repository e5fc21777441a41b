import { expect, it } from 'vitest';
import { IdentityPoolError, classifyFailure } from './identity-pool-client.ts';

const refusal = (name: string, status = 400) => new IdentityPoolError(name, 'no', status);

it.each([
  ['TooManyRequestsException', 400, 'throttled'],
  ['LimitExceededException', 400, 'throttled'],
  ['Unknown', 429, 'throttled'],
  ['InternalErrorException', 500, 'failure'],
  ['ExternalServiceException', 400, 'final'],
  ['InvalidIdentityPoolConfigurationException', 400, 'final'],
  ['InvalidParameterException', 400, 'final'],
  ['NotAuthorizedException', 400, 'final'],
  ['ResourceConflictException', 400, 'failure'],
  ['ResourceNotFoundException', 400, 'final'],
] as const)('%s (%i) is %s', (name, status, verdict) => {
  expect(classifyFailure(refusal(name, status))).toBe(verdict);
});

it('a time-out costs more than another failure', () => {
  expect(classifyFailure(new DOMException('late', 'TimeoutError'))).toBe('time-out');
  expect(classifyFailure(new TypeError('Failed to fetch'))).toBe('failure');
});
