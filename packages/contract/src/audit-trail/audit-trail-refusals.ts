import { refusal } from '../refusals/refusal.ts';

export const auditTrailRefusals = {
  'too-many-events': refusal<{ limit: number }>(
    'More than {limit} events match. Choose a shorter period.',
  ),
} as const;
