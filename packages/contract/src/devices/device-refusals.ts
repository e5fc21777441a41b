import { refusal } from '../refusals/refusal.ts';

export const deviceRefusals = {
  'device-retired': refusal('The device is retired and cannot be changed.'),
  'owner-unknown': refusal('Select an existing person as the owner.'),
  'list-without-serial-numbers': refusal('The text contains no serial numbers.'),
  'list-too-long': refusal<{ count: number; most: number }>(
    'The text contains {count} serial numbers. A list holds at most {most}.',
  ),
  'filter-unknown': refusal<{ filter: string }>('"{filter}" is not a filter of this list.'),
  're-enrollment-decided': refusal('This request is already decided.'),
  'cursor-invalid': refusal('The page is no longer available. Start from the first page.'),
  'reach-gained': refusal<{ permission: string }>(
    'With these values you would gain permissions on the device: {permission}. Ask another user to make this change.',
    'noPermission',
  ),
  'device-out-of-reach': refusal(
    'With these values the device would be outside the scope that you manage.',
    'noPermission',
  ),
  'claim-out-of-reach': refusal(
    'Devices with this country, model and labels are outside the scope that you manage.',
    'noPermission',
  ),
  'claim-not-in-force': refusal('the claim token is unknown, used up or expired', 'noPermission'),
  'claim-without-device': refusal('the device of this claim does not exist', 'noPermission'),
  'claim-of-other-device': refusal('the claim is for another device', 'noPermission'),
  'claim-of-other-serial-number': refusal(
    'the claim is for a device with another serial number',
    'noPermission',
  ),
  'claim-not-covering': refusal('the claim does not cover this serial number', 'noPermission'),
  'claim-not-covering-device': refusal(
    'the claim does not cover the device with this serial number',
    'noPermission',
  ),
  'claim-creator-without-right': refusal(
    'the claim has ended: the user who created it may no longer manage these devices. Use a new claim',
    'noPermission',
  ),
  'enrolling-device-retired': refusal('the device is retired', 'noPermission'),
  'enrolling-device-suspended': refusal(
    'the device is suspended: resume it on its page in the portal first',
    'noPermission',
  ),
} as const;
