import { unsignedFaults, type NotificationTexts, type ReadFacts } from './notification-facts.ts';

const englishWebhookPauses: Readonly<Record<string, string>> = {
  'owner-not-permitted': 'You no longer have the permission to manage webhooks.',
  failing: 'Too many requests in a row failed. Check the receiver, and resume the webhook.',
  behind:
    'Its oldest event has been waiting for too long. Check the receiver, and resume the webhook.',
};

/** Each notification in English. */
export const englishTexts: NotificationTexts = {
  'run-ended': ({ text, count, state }) => ({
    title: `${text('command')}: ${state}`,
    body: enCounts(text, count),
  }),
  'queued-ran': ({ text, count, state }) => ({
    title: `${text('command')} ran on ${text('device')} after it came back online`,
    body: count('devices') > 1 ? `${count('devices')} devices so far` : state,
  }),
  'schedule-ran': ({ text, count, state }) => ({
    title: `${text('schedule')} ran: ${state}`,
    body: enCounts(text, count),
  }),
  'schedule-failed': ({ text, refusal }) => ({
    title: `${text('schedule')} did not run`,
    body: text('error') === 'missed' ? 'The scheduled run was missed' : `Rejected: ${refusal}`,
  }),
  'schedule-paused': ({ text, count }) => ({
    title: `${text('schedule')} was paused`,
    body: `${enDevices(count)} would be selected. The limit is ${count('limit')}.`,
  }),
  'run-approval': ({ text, count }) => ({
    title: `${text('command')} needs your approval`,
    body: `${enDevices(count)}, requested by ${text('by')}`,
  }),
  'run-decided': ({ text, count }) => ({
    title: `${text('command')} on ${enDevices(count)} was ${text('decision')}`,
    body: [text('by'), text('comment')].filter(Boolean).join(': '),
  }),
  're-enrolment-asked': ({ text }) => ({
    title: `A machine requests to become ${text('device')}`,
    body: `${text('hostName')}, at ${text('address')}`,
  }),
  'air-blast-approval': ({ text, count }) => ({
    title: `${text('name')} needs your approval`,
    body: `${enDevices(count)}, planned by ${text('by')}`,
  }),
  'air-blast-stopped': ({ text, gate }) => ({ title: `${text('name')} was stopped`, body: gate }),
  'air-blast-ended': ({ text, count, state }) => ({
    title: `${text('name')}: ${state}`,
    body: enDevices(count),
  }),
  'document-review': ({ text }) => ({
    title: `${text('document')} version ${text('version')} needs your review`,
    body: `Submitted by ${text('by')}`,
  }),
  'document-reviewed': ({ text }) => ({
    title: `${text('document')} version ${text('version')} was ${text('decision') === 'approved' ? 'approved' : 'rejected'}`,
    body: [text('by'), text('comment')].filter(Boolean).join(': '),
  }),
  'device-back': ({ text }) => ({
    title: `${text('device')} is back online`,
    body: 'The device is connected again',
  }),
  'report-ready': ({ count }) => ({
    title: 'A user report is ready',
    body: `${enDevices(count)}, ${count('findings')} findings`,
  }),
  'report-failed': () => ({
    title: 'A user report could not be created',
    body: 'Open the report to try again',
  }),
  'case-assigned': ({ text, priority }) => ({
    title: `${text('by')} assigned a case to you`,
    body: `Priority: ${priority}`,
  }),
  'elevation-asked': ({ text, count }) => ({
    title: `${text('by')} requests the role ${text('role')} for ${count('minutes')} minutes`,
    body: text('reason'),
  }),
  'elevation-decided': ({ text, count }) =>
    text('decision') === 'granted'
      ? {
          title: `You have temporary access to the role ${text('role')} for ${count('minutes')} minutes`,
          body: `Approved by ${text('by')}`,
        }
      : {
          title: `Your request for the role ${text('role')} was denied`,
          body: [text('by'), text('note')].filter(Boolean).join(': '),
        },
  'elevation-ended': ({ text }) => ({
    title: `Your temporary access to the role ${text('role')} ended`,
    body: 'Ended early',
  }),
  'account-locked': ({ text }) => ({
    title: `The account ${text('by')} is locked`,
    body: 'Too many incorrect codes or passwords in a row. An administrator can unlock it.',
  }),
  'user-left': ({ text, count }) => ({
    title: `${text('by')} no longer has access`,
    body: `Ended by ${text('connection')}. Queued runs were canceled. Paused schedules: ${count('schedules')}. Rollouts that need another operator: ${count('rollouts')}.`,
  }),
  'access-review': ({ text, count }) => ({
    title:
      text('stage') === 'started'
        ? 'An access review has started'
        : text('stage') === 'soon'
          ? 'An access review is due soon'
          : 'An access review is overdue',
    body: `${count('lines')} roles need a decision. Due ${text('due')}.`,
  }),
  'legal-hold-release': ({ text }) => ({
    title: `The release of the legal hold ${text('hold')} needs approval`,
    body: `Requested by ${text('by')}`,
  }),
  'audit-seal-stopped': ({ text }) => ({
    title: 'The audit trail is no longer sealed',
    body: `Block ${text('block')} could not be verified. Verify the audit trail, and contact the operator of the installation.`,
  }),
  'backup-failed': ({ text }) => ({
    title: 'Scheduled backups need attention',
    body: `${text('reason')}. Contact the operator of the installation.`,
  }),
  'webhook-paused': ({ text }) => ({
    title: `The webhook ${text('webhook')} was paused`,
    body: englishWebhookPauses[text('reason')] ?? '',
  }),
  'authorization-mismatch': ({ text }) =>
    unsignedFaults.has(text('fault'))
      ? {
          title: `${text('name')} is not signed`,
          body: 'Nothing was sent. It was created before signatures were introduced, its key was withdrawn, or its signature was removed in the database.',
        }
      : {
          title: `${text('name')} was changed in the database after it was authorized`,
          body: 'It was stopped, and nothing was sent. Check who has write access to the database.',
        },
};

function enDevices(count: ReadFacts['count']): string {
  return count('devices') === 1 ? '1 device' : `${count('devices')} devices`;
}

function enCounts(text: ReadFacts['text'], count: ReadFacts['count']): string {
  if (count('target') === 1 && text('device') !== '') return text('device');
  const parts = [`${count('success')} of ${count('target')} devices succeeded`];
  if (count('failed') > 0) parts.push(`${count('failed')} failed`);
  if (count('timedOut') > 0) parts.push(`${count('timedOut')} timed out`);
  if (count('cancelled') > 0) parts.push(`${count('cancelled')} canceled`);
  return parts.join(', ');
}
