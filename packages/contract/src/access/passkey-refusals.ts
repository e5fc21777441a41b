import { refusal } from '../refusals/refusal.ts';

export const passkeyRefusals = {
  'passkeys-unavailable': refusal(
    'Passkeys are not available at this address. They require https and a host name.',
  ),
  'passkey-sign-in-old': refusal('Sign in again before you change how you sign in.', {
    error: 'noPermission',
  }),
  'passkey-challenge-ended': refusal('This request has expired. Try again.'),
  'passkey-not-verified': refusal('The passkey could not be verified. Try again.'),
  'passkey-unknown': refusal('This passkey no longer exists.', { error: 'notFound' }),
  'passkey-registered': refusal('This passkey is already registered.'),
  'passkeys-full': refusal('You have the maximum number of passkeys. Remove one first.'),
} as const;
