import { refusal } from '../refusals/refusal.ts';

export const reportRefusals = {
  'report-not-ready': refusal('The report is not ready. Its status is {state}.', {
    facts: { state: 'word', 'report?': 'id' },
  }),
  'report-period-invalid': refusal('Choose a period of up to {most} days that has already begun.', {
    facts: { most: 'count' },
  }),
  'link-too-long': refusal('A link can be valid for at most {most} seconds.', {
    facts: { most: 'count' },
  }),
} as const;
