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
  'erasure-held': refusal(
    'This person is under a legal hold: {holds}. The erasure is recorded, and starts when the hold has ended.',
    { facts: { holds: 'text' } },
  ),
  'data-held': refusal('This is kept by a legal hold and cannot be deleted.'),
  'hold-subject-unknown': refusal(
    'No device, user, customer, or case matches “{subject}”. Enter a serial number, a username, an email address, a phone number, or the address of a case.',
    { facts: { subject: 'text' } },
  ),
  'hold-ends-in-past': refusal('The end must be in the future.'),
  'hold-ended': refusal('This legal hold has ended.'),
  'release-requested': refusal('The release of this hold is already requested.'),
  'release-not-requested': refusal('The release of this hold is not requested.'),
  'own-release': refusal('Another user must approve the release that you requested.', {
    facts: { 'permission?': 'permission' },
    error: 'noPermission',
  }),
  'name-does-not-match': refusal('The username does not match.'),
  'scope-is-limited': refusal(
    'Personal data can be erased or exported only with a permission that covers all devices.',
    { facts: { permission: 'permission' }, error: 'noPermission' },
  ),
} as const;
