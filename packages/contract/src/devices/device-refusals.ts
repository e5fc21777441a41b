import { refusal } from '../refusals/refusal.ts';

export const deviceRefusals = {
  'device-retired': refusal('The device is retired and cannot be changed.', {
    facts: { 'lifecycle?': 'word' },
  }),
  'owner-unknown': refusal('Select an existing person as the owner.'),
  'list-without-serial-numbers': refusal('The text contains no serial numbers.'),
  'list-too-long': refusal(
    'The text contains {count} serial numbers. A list holds at most {most}.',
    { facts: { count: 'count', most: 'count' } },
  ),
  'filter-unknown': refusal('"{filter}" is not a filter of this list.', {
    facts: { filter: 'text' },
  }),
  'serial-number-invalid': refusal(
    'Enter a serial number with 4 to 64 letters, digits, hyphens or underscores.',
  ),
  'country-invalid': refusal('Enter a country code of ISO 3166-1, such as DE.'),
  'labels-invalid': refusal('Enter up to {most} labels, such as site=berlin;floor=2.', {
    facts: { most: 'count' },
  }),
  'text-invalid': refusal(
    'Enter up to {most} characters, without invisible or text direction characters.',
    { facts: { most: 'count' } },
  ),
  'owner-email-unknown': refusal('No person has the email address {email}.', {
    facts: { email: 'text' },
  }),
  're-enrollment-decided': refusal('This request is already decided.', {
    facts: { 'reEnrollmentId?': 'id' },
  }),
  'cursor-invalid': refusal('The page is no longer available. Start from the first page.'),
  'reach-gained': refusal(
    'With these values you would gain permissions on the device: {permission}. Ask another user to make this change.',
    { facts: { permission: 'permission' }, error: 'noPermission' },
  ),
  'device-out-of-reach': refusal(
    'With these values the device would be outside the scope that you manage.',
    { facts: { 'permission?': 'permission' }, error: 'noPermission' },
  ),
  'claim-out-of-reach': refusal(
    'Devices with this country, model and labels are outside the scope that you manage.',
    { facts: { 'permission?': 'permission' }, error: 'noPermission' },
  ),
  'claim-not-in-force': refusal('the claim token is unknown, used up or expired', {
    error: 'noPermission',
  }),
  'claim-of-managed-instance': refusal(
    'the device of this claim is managed by AWS Systems Manager and cannot be enrolled',
    { error: 'noPermission' },
  ),
  'claim-without-device': refusal('the device of this claim does not exist', {
    error: 'noPermission',
  }),
  'claim-of-other-device': refusal('the claim is for another device', { error: 'noPermission' }),
  'claim-of-other-serial-number': refusal('the claim is for a device with another serial number', {
    error: 'noPermission',
  }),
  'claim-not-covering': refusal('the claim does not cover this serial number', {
    error: 'noPermission',
  }),
  'claim-not-covering-device': refusal(
    'the claim does not cover the device with this serial number',
    { error: 'noPermission' },
  ),
  'claim-creator-without-right': refusal(
    'the claim has ended: the user who created it may no longer manage these devices. Use a new claim',
    { error: 'noPermission' },
  ),
  'enrolling-device-retired': refusal('the device is retired', { error: 'noPermission' }),
  'enrolling-device-suspended': refusal(
    'the device is suspended: resume it on its page in the portal first',
    { error: 'noPermission' },
  ),
} as const;
