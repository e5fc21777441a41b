import { refusal } from '../refusals/refusal.ts';

export type CollectedFilesUnit =
  | 'files per run'
  | 'bytes per run'
  | 'files in 24 hours'
  | 'bytes in 24 hours';

export const commandRefusals = {
  'approval-changed': refusal(
    'What this run would do has changed since it was requested. Create a new run.',
  ),
  'run-not-awaiting-approval': refusal('This run is not waiting for approval.'),
  'air-blast-needed': refusal<{ devices: number; from: number }>(
    'The run policy requires an AirBlast rollout for this command on {from} or more devices.',
  ),
  'target-not-shown': refusal('Preview the devices before you run a command on them.'),
  'target-changed': refusal(
    'The devices have changed since they were shown. Review them and try again.',
  ),
  'target-grew': refusal<{ devices: number; limit: number }>(
    'This run would reach {devices} devices, but at most {limit} were agreed.',
  ),
  'authorization-mismatch': refusal(
    'This run was changed in the database after it was authorized. Create it again.',
  ),
  'document-not-chosen': refusal('Choose a document first.'),
  'document-not-active': refusal<{ document: string; state: string }>(
    'The document {document} cannot be run. Its status is {state}.',
  ),
  'serial-number-not-typed': refusal('Enter the serial number of the device to confirm.'),
  'target-count-not-typed': refusal<{ devices: number }>(
    'Enter the number of devices to confirm: {devices}.',
  ),
  'store-parameter-missing': refusal<{ parameter: string }>(
    'The parameter {parameter} does not exist in the parameter store.',
  ),
  'store-parameter-not-secret': refusal<{ parameter: string }>(
    'The parameter {parameter} must be a SecureString.',
  ),
  'parameters-too-large': refusal(
    'The parameters are too large with the values of the parameter store.',
  ),
  'key-of-other-command': refusal('This idempotency key was used for another command.'),
  'lock-held': refusal<{ device: string }>(
    'Another command holds the change lock of {device}. Queue behind it, or try again later.',
  ),
  'device-takes-no-commands': refusal<{ device: string; lifecycle: string }>(
    '{device} does not accept commands. Its lifecycle state is {lifecycle}.',
  ),
  'cannot-be-undone': refusal<{ hindrance: string }>('This run cannot be undone.'),
  'file-name-invalid': refusal('The file name is not valid.'),
  'file-too-large': refusal<{ limitBytes: number }>('The file is larger than {limitBytes} bytes.'),
  'file-of-ended-invocation': refusal('The invocation has ended. Its files can no longer change.'),
  'file-differs': refusal('A file of this name with other content is already stored.'),
  'file-space-taken': refusal('Other files of the device have used the remaining space.'),
  'file-quota-reached': refusal<{ most: number; unit: CollectedFilesUnit }>(
    'The device has reached its limit for collected files: {most} {unit}.',
  ),
  'run-needs-second-person': refusal(
    'A user who has not requested this run must approve or reject it.',
    'noPermission',
  ),
  'file-not-as-reported': refusal(
    'The stored file is not the file that the device reported.',
    'noPermission',
  ),
  'file-of-inactive-device': refusal('The device is not active.', 'noPermission'),
  'run-beyond-scope': refusal('This run includes devices outside your scope.', 'noPermission'),
} as const;
