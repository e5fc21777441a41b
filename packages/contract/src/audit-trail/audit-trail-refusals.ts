import { refusal } from '../refusals/refusal.ts';

export const auditTrailRefusals = {
  'too-many-events': refusal('More than {limit} events match. Choose a shorter period.', {
    facts: { limit: 'count' },
  }),
  'too-many-people': refusal(
    'A search for an address covers at most {limit} people. Filter by a person, too.',
    { facts: { limit: 'count' } },
  ),
} as const;
