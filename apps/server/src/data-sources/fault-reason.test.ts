import { expect, test } from 'vitest';
import { faultReason } from './fault-reason.ts';

test.each([
  ['AccessDeniedException: User is not authorized to perform: sqs:ReceiveMessage', 'access-denied'],
  ['CredentialsProviderError: Could not load credentials from any providers', 'credentials'],
  ['ExpiredTokenException: The security token included in the request is expired', 'credentials'],
  ['ResourceNotFoundException: Cannot do operations on a non-existent table', 'not-found'],
  ['QueueDoesNotExist: The specified queue does not exist.', 'not-found'],
  ['ProvisionedThroughputExceededException: Rate exceeded', 'throttled'],
  ['Error: connect ECONNREFUSED 127.0.0.1:8000', 'unreachable'],
  ['TimeoutError: socket hang up', 'unreachable'],
  ['Error: 550 5.1.1', 'other'],
])('%s', (text, reason) => {
  expect(faultReason(text)).toBe(reason);
});
