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
} as const;
