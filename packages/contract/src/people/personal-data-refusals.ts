import { refusal } from '../refusals/refusal.ts';

export const personalDataRefusals = {
  'already-erased': refusal('The personal data of this person is already erased.'),
  'being-erased': refusal('The personal data of this person is being erased.'),
  'user-has-not-left': refusal(
    'Only users with the status Resigned or Archived can be erased. The status is {status}.',
    { facts: { status: 'word' } },
  ),
  'cases-open': refusal('Close the open cases of this person first. Open cases: {cases}.', {
    facts: { cases: 'count' },
  }),
  'name-does-not-match': refusal('The username does not match.'),
  'scope-is-limited': refusal(
    'Personal data can be erased or exported only with a permission that covers all devices.',
    { facts: { permission: 'permission' }, error: 'noPermission' },
  ),
} as const;
