import { refusal } from '../refusals/refusal.ts';
import { stepUpPurposes } from './step-up.ts';

export const stepUpRefusals = {
  'step-up-required': refusal('Confirm that it is you, and try again.', {
    // The methods that the user can use now, separated by commas.
    facts: { purpose: stepUpPurposes, methods: 'text' },
    error: 'noPermission',
  }),
  'step-up-method-unavailable': refusal(
    'This method is not available for your account at the moment. Choose another one.',
    { error: 'noPermission' },
  ),
  'step-up-code-wrong': refusal('This code is incorrect. Attempts left: {attemptsLeft}.', {
    facts: { attemptsLeft: 'count' },
    error: 'invalidLoginCode',
  }),
  'step-up-code-ended': refusal('This code is no longer valid. Request a new code.', {
    error: 'invalidLoginCode',
  }),
  'step-up-number-wrong': refusal(
    'This code is incorrect or was already used. Wait for the next code of your authenticator app.',
    { error: 'invalidLoginCode' },
  ),
  'step-up-passkey-refused': refusal(
    'The passkey could not be verified. Try again, or choose another method.',
    { error: 'invalidLoginCode' },
  ),
  'step-up-code-not-sent': refusal('The code could not be sent. Try another method.', {
    error: 'noPermission',
  }),
  'step-up-too-many': refusal('Too many attempts. Try again in {seconds} seconds.', {
    facts: { seconds: 'count' },
    error: 'noPermission',
  }),
  'step-up-locked': refusal(
    'Your account is locked after too many incorrect codes. Ask an administrator to unlock it.',
    { error: 'noPermission' },
  ),
} as const;
