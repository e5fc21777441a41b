import { refusal } from '../refusals/refusal.ts';

export const airBlastRefusals = {
  'rollout-ended': refusal('This rollout has ended.'),
  'rollout-paused': refusal('This rollout is paused. Resume it first.'),
  'rollout-out-of-order': refusal('Another step comes first.'),
  'rollout-needs-approval': refusal('A second person must approve this rollout first.'),
  'rollout-step-running': refusal('A step is in progress.'),
  'rollout-not-now': refusal('This action is not available in the current state of the rollout.'),
  'rollout-no-step-ready': refusal('No step is ready to start.'),
  'plan-changed': refusal('The plan has changed since it was shown. Review it and try again.'),
  'plan-mismatch': refusal(
    'The plan was changed in the database after it was authorized. Create a new plan.',
  ),
  'component-unknown': refusal<{ component: string }>(
    'No component {component} is registered or installed on any device.',
  ),
  'version-not-approved': refusal<{ component: string; version: string; state: string }>(
    '{component} {version} is not approved. Its status is {state}.',
  ),
  'too-many-failed': refusal('Too many devices failed to continue without them.'),
  'nothing-to-roll-back': refusal('No devices received the change.'),
  'token-of-other-run': refusal('The next-step token belongs to another rollout.'),
  'token-of-other-step': refusal('The next-step token belongs to another step.'),
  'device-count-not-typed': refusal<{ devices: number }>(
    'Enter the number of devices to confirm: {devices}.',
  ),
  'rollout-not-offered': refusal<{ operator: string }>(
    '{operator} operates this rollout and has not handed it over.',
    'noPermission',
  ),
  'rollout-of-other-operator': refusal<{ operator: string }>(
    '{operator} operates this rollout. Ask for a handover first.',
    'noPermission',
  ),
  'approver-cannot-operate': refusal(
    'You approved this rollout. Another user must operate it.',
    'noPermission',
  ),
  'rollout-role-ended': refusal(
    'The AirBlast role has ended. Assume it again to continue.',
    'noPermission',
  ),
  'rollout-needs-second-person': refusal(
    'A user who has neither planned nor operated this rollout must approve it.',
    'noPermission',
  ),
  'token-of-other-user': refusal('The next-step token was issued to another user.', 'noPermission'),
  'token-expired': refusal(
    'The next-step token has expired. Request a new one.',
    'airBlastTokenExpired',
  ),
  'target-set-changed': refusal(
    'The target set has changed since the next-step token was issued. Request a new token.',
    'airBlastTokenExpired',
  ),
} as const;
