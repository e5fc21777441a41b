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
} as const;
