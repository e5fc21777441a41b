import { refusal } from '../refusals/refusal.ts';

export const alertRefusals = {
  'alert-address-internal': refusal(
    'The address {host} is internal. An operator can allow it with DEVICEPORTAL_ALERT_INTERNAL_HOSTS.',
    { facts: { host: 'text' } },
  ),
  'alert-address-insecure': refusal('The address {host} must start with https.', {
    facts: { host: 'text' },
  }),
  'alert-rule-changed': refusal(
    'The alert rule was changed in the meantime. Open it again, and repeat your change.',
  ),
  'alert-destination-unknown': refusal('The rule no longer has one of these destinations.'),
  'alert-case-not-permitted': refusal(
    'A rule that opens cases requires the permission cases:manage.',
  ),
  'alert-mute-too-long': refusal('A rule can be muted for at most {days} days.', {
    facts: { days: 'count' },
  }),
} as const;
