import { refusal } from '../refusals/refusal.ts';

export const scheduleRefusals = {
  'schedule-in-past': refusal('The schedule has no run in the future.'),
  'schedule-after-access': refusal('The schedule would run after your temporary access ends.'),
  'schedule-max-devices-low': refusal(
    'The maximum is below the current number of devices: {devices}.',
    { facts: { devices: 'count' } },
  ),
  'schedule-must-be-fixed': refusal(
    'A command that destroys data can be scheduled only for the current devices.',
  ),
  'authorization-missing': refusal(
    'This schedule is not signed. Review what it runs, and sign it when you resume it.',
    { facts: { 'reason?': 'word', 'scheduleId?': 'id' } },
  ),
  'schedule-mismatch': refusal(
    'This schedule was changed in the database. Delete it and create it again.',
    { facts: { 'reason?': 'word' } },
  ),
  'schedule-not-shown': refusal('Review what the schedule runs before you sign it.', {
    facts: { 'reason?': 'word', 'scheduleId?': 'id' },
  }),
  'schedule-changed': refusal('The schedule has changed since it was shown. Review it again.', {
    facts: { 'reason?': 'word', 'scheduleId?': 'id' },
  }),
  'schedule-destroys': refusal(
    'A command that destroys data is signed only for confirmed devices. Delete this schedule and create it again.',
  ),
  'cron-invalid': refusal('Enter a cron expression with five fields.'),
  'time-zone-invalid': refusal('Select a valid time zone.'),
} as const;
