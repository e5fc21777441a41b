import { refusal } from '../refusals/refusal.ts';

export const reportRefusals = {
  'report-not-ready': refusal<{ state: string }>('The report is not ready. Its status is {state}.'),
  'report-period-invalid': refusal<{ most: number }>(
    'Choose a period of up to {most} days that has already begun.',
  ),
  'link-too-long': refusal<{ most: number }>('A link can be valid for at most {most} seconds.'),
} as const;
