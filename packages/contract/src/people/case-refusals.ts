import { refusal } from '../refusals/refusal.ts';

export const caseRefusals = {
  'case-closed': refusal('This case is closed. Reopen it to continue.'),
  'another-case-open': refusal('Another case is open for this person. Continue in that case.'),
} as const;
