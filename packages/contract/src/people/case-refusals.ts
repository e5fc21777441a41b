import { refusal } from '../refusals/refusal.ts';

export const caseRefusals = {
  'ticket-system-missing': refusal('No ticket system is connected. Ask an administrator.'),
  'ticket-secret-missing': refusal(
    'Enter the key of the account. A stored key is kept only for the same address and account.',
  ),
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
