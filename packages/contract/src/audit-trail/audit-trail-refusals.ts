import { refusal } from '../refusals/refusal.ts';

export const auditTrailRefusals = {
  'too-many-events': refusal('More than {limit} events match. Choose a shorter period.', {
    facts: { limit: 'count' },
  }),
} as const;
