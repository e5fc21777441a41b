import { refusal } from '../refusals/refusal.ts';

export const auditTrailRefusals = {
  'too-many-events': refusal('More than {limit} events match. Choose a shorter period.', {
    facts: { limit: 'count' },
  }),
  'too-many-people': refusal(
    'An address is looked for among {limit} people at most. Filter by a person as well.',
    { facts: { limit: 'count' } },
  ),
} as const;
