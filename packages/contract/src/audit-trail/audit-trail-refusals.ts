import { refusal } from '../refusals/refusal.ts';

export const auditTrailRefusals = {
  'too-many-events': refusal('More than {limit} events match. Choose a shorter period.', {
    facts: { limit: 'count' },
  }),
  'proof-too-large': refusal(
    'A proof contains at most {limit} events. Export the audit trail with a filter instead.',
    { facts: { limit: 'count' } },
  ),
  'proof-archived': refusal(
    'The events are in archived months. Search them in the audit trail instead.',
  ),
  'too-many-people': refusal(
    'A search for an address covers at most {limit} people. Filter by a person, too.',
    { facts: { limit: 'count' } },
  ),
  'archive-search-too-slow': refusal(
    'The search of archived months takes longer than {seconds} s. Choose a shorter period.',
    { facts: { seconds: 'count' } },
  ),
  'archive-search-too-large': refusal(
    'The search of archived months reads more data than its limit allows. Choose a shorter period.',
  ),
} as const;
