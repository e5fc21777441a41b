import { refusal } from '../refusals/refusal.ts';

export const caseRefusals = {
  'case-closed': refusal('This case is closed. Reopen it to continue.', {
    facts: { 'case?': 'id' },
  }),
  'another-case-open': refusal('Another case is open for this person. Continue in that case.', {
    facts: { 'case?': 'id' },
  }),
  'assignee-without-access': refusal(
    'This user cannot work on cases of this person. Select another user, or change the roles of this user.',
  ),
} as const;
