import { refusal } from '../refusals/refusal.ts';
import { runCommandObstacles } from './run-command-obstacles.ts';

export const collectedFilesUnits = [
  'files per run',
  'bytes per run',
  'files in 24 hours',
  'bytes in 24 hours',
] as const;
export type CollectedFilesUnit = (typeof collectedFilesUnits)[number];

export const commandRefusals = {
  'approval-changed': refusal(
    'What this run would do has changed since it was requested. Create a new run.',
    { facts: { 'runId?': 'id', 'reason?': 'word' } },
  ),
  'run-not-awaiting-approval': refusal('This run is not waiting for approval.', {
    facts: { 'runId?': 'id' },
  }),
  'air-blast-needed': refusal(
    'The run policy requires an AirBlast rollout for this command on {from} or more devices.',
    { facts: { devices: 'count', from: 'count', 'reason?': 'word' } },
  ),
  'target-not-shown': refusal('Preview the devices before you run a command on them.', {
    facts: { 'reason?': 'word', 'devices?': 'count' },
  }),
  'target-changed': refusal(
    'The devices have changed since they were shown. Review them and try again.',
    {
      facts: {
        'reason?': 'word',
        'devices?': 'count',
        'added?': 'count',
        'removed?': 'count',
        'addedDevices?': 'device',
        'removedDevices?': 'device',
      },
    },
  ),
  'target-grew': refusal(
    'This run would reach {devices} devices, but at most {limit} were agreed.',
    { facts: { devices: 'count', limit: 'count', 'reason?': 'word' } },
  ),
  'authorization-mismatch': refusal(
    'This run was changed in the database after it was authorized. Create it again.',
  ),
  'document-not-chosen': refusal('Choose a document first.', { facts: { 'command?': 'command' } }),
  'document-not-active': refusal('The document {document} cannot be run. Its status is {state}.', {
    facts: {
      document: 'document',
      state: 'word',
      'version?': 'count',
      'permission?': 'permission',
      'approverRoles?': 'text',
    },
  }),
  'serial-number-not-typed': refusal('Enter the serial number of the device to confirm.', {
    facts: { 'devices?': 'count' },
  }),
  'target-count-not-typed': refusal('Enter the number of devices to confirm: {devices}.', {
    facts: { devices: 'count' },
  }),
  'store-parameter-missing': refusal(
    'The parameter {parameter} does not exist in the parameter store.',
    { facts: { parameter: 'parameter' } },
  ),
  'store-parameter-not-secret': refusal('The parameter {parameter} must be a SecureString.', {
    facts: { parameter: 'parameter' },
  }),
  'parameters-too-large': refusal(
    'The parameters are too large with the values of the parameter store.',
  ),
  'key-of-other-command': refusal('This idempotency key was used for another command.'),
  'lock-held': refusal(
    'Another command holds the change lock of {device}. Queue behind it, or try again later.',
    { facts: { device: 'device', 'deviceId?': 'id', 'reason?': 'word', 'excluded?': 'count' } },
  ),
  'device-takes-no-commands': refusal(
    '{device} does not accept commands. Its lifecycle state is {lifecycle}.',
    {
      facts: {
        device: 'device',
        lifecycle: 'word',
        'deviceId?': 'id',
        'reason?': 'word',
        'excluded?': 'count',
      },
    },
  ),
  'command-needs-agent': refusal(
    '{device} is managed by AWS Systems Manager, which cannot run this document.',
    {
      facts: {
        device: 'device',
        obstacle: runCommandObstacles,
        'deviceId?': 'id',
        'reason?': 'word',
        'excluded?': 'count',
      },
    },
  ),
  'ssm-agent-too-old': refusal(
    'The SSM Agent of {device} cannot run this document. It needs version 3.3.2746.0 or later.',
    { facts: { device: 'device', 'deviceId?': 'id', 'reason?': 'word', 'excluded?': 'count' } },
  ),
  'cannot-be-undone': refusal('This run cannot be undone.', {
    facts: { hindrance: 'word', 'runId?': 'id' },
  }),
  'file-name-invalid': refusal('The file name is not valid.'),
  'file-too-large': refusal('The file is larger than {limitBytes} bytes.', {
    facts: { limitBytes: 'count' },
  }),
  'file-of-ended-invocation': refusal('The invocation has ended. Its files can no longer change.'),
  'file-differs': refusal('A file of this name with other content is already stored.'),
  'file-space-taken': refusal('Other files of the device have used the remaining space.'),
  'file-quota-reached': refusal(
    'The device has reached its limit for collected files: {most} {unit}.',
    { facts: { most: 'count', unit: collectedFilesUnits } },
  ),
  'run-needs-second-person': refusal(
    'A user who has not requested this run must approve or reject it.',
    { facts: { 'permission?': 'permission' }, error: 'noPermission' },
  ),
  'file-not-as-reported': refusal('The stored file is not the file that the device reported.', {
    error: 'noPermission',
  }),
  'file-of-inactive-device': refusal('The device is not active.', { error: 'noPermission' }),
  'run-beyond-scope': refusal('This run includes devices outside your scope.', {
    facts: { 'permission?': 'permission' },
    error: 'noPermission',
  }),
} as const;
