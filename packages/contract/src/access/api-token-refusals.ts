import { refusal } from '../refusals/refusal.ts';

export const apiTokenRefusals = {
  'api-token-elsewhere': refusal('API tokens are valid only for /api/v1.', {
    error: 'noPermission',
  }),
  'not-by-api-token': refusal('This is not available to API tokens. Sign in to the portal.', {
    error: 'noPermission',
  }),
  'step-up-not-by-token': refusal(
    'This requires a second step, which an API token cannot perform. Do it in the portal.',
    { error: 'noPermission' },
  ),
  'api-token-in-address': refusal(
    'The address contains an API token. Send it in the Authorization header. Revoke this token, because addresses are logged.',
  ),
  'api-token-lifetime': refusal('A token is valid for at most {days} days here.', {
    facts: { days: 'count' },
  }),
  'api-token-without-permissions': refusal(
    'None of these roles has a permission that is available to API tokens.',
  ),
  'user-code-unknown': refusal(
    'No application waits with this code. Check the code, or start the sign-in of the application again.',
  ),
  'user-code-locked': refusal(
    'Too many incorrect codes. Try again in {seconds} seconds, and start the sign-in of the application again.',
    { facts: { seconds: 'count' }, error: 'noPermission' },
  ),
  'idempotency-key-missing': refusal(
    'The header Idempotency-Key is missing. Send a new value for every new run, and the same one with a retry.',
  ),
  'idempotency-key-invalid': refusal(
    'The header Idempotency-Key must have 1 to {most} visible ASCII characters.',
    { facts: { most: 'count' } },
  ),
  'idempotency-key-reused': refusal(
    'This Idempotency-Key was already sent with another request. Use a new one.',
  ),
  'idempotency-key-in-use': refusal(
    'A request with this Idempotency-Key is still in progress. Try again in a moment.',
  ),
  'devices-not-found': refusal('No device within your scope: {devices}. Not found: {count}.', {
    facts: { devices: 'text', count: 'count' },
    error: 'deviceNotFound',
  }),
  'devices-unavailable': refusal(
    'Devices cannot run this command: {count}. Reasons: {reasons}. Leave them out, or set skipUnavailable.',
    { facts: { count: 'count', reasons: 'text' } },
  ),
  'api-rate-limit': refusal('Too many requests. Try again in {seconds} seconds.', {
    facts: { seconds: 'count' },
    error: 'httpUnknown',
  }),
} as const;
