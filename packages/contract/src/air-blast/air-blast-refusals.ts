import { refusal } from '../refusals/refusal.ts';

export const airBlastRefusals = {
  'rollout-ended': refusal('This rollout has ended.', {
    facts: { 'reason?': 'word', 'state?': 'word', 'step?': 'word' },
  }),
  'rollout-paused': refusal('This rollout is paused. Resume it first.', {
    facts: { 'reason?': 'word', 'state?': 'word', 'step?': 'word' },
  }),
  'rollout-out-of-order': refusal('Another step comes first.', {
    facts: { 'reason?': 'word', 'state?': 'word', 'step?': 'word' },
  }),
  'rollout-needs-approval': refusal('A second person must approve this rollout first.', {
    facts: { 'reason?': 'word', 'state?': 'word', 'step?': 'word' },
  }),
  'rollout-step-running': refusal('A step is in progress.', {
    facts: { 'reason?': 'word', 'state?': 'word', 'step?': 'word' },
  }),
  'rollout-not-now': refusal('This action is not available in the current state of the rollout.', {
    facts: { 'reason?': 'word', 'state?': 'word', 'step?': 'word' },
  }),
  'rollout-no-step-ready': refusal('No step is ready to start.', {
    facts: { 'reason?': 'word', 'state?': 'word', 'step?': 'word' },
  }),
  'plan-changed': refusal('The plan has changed since it was shown. Review it and try again.', {
    facts: { 'reason?': 'word' },
  }),
  'plan-mismatch': refusal(
    'The plan was changed in the database after it was authorized. Create a new plan.',
    { facts: { 'reason?': 'word' } },
  ),
  'component-unknown': refusal(
    'No component {component} is registered or installed on any device.',
    { facts: { component: 'component' } },
  ),
  'version-not-approved': refusal('{component} {version} is not approved. Its status is {state}.', {
    facts: { component: 'component', version: 'version', state: 'word' },
  }),
  'too-many-failed': refusal('Too many devices failed to continue without them.', {
    facts: { 'reason?': 'word', 'state?': 'word', 'step?': 'word' },
  }),
  'nothing-to-roll-back': refusal('No devices received the change.', {
    facts: { 'reason?': 'word' },
  }),
  'token-of-other-run': refusal('The next-step token belongs to another rollout.'),
  'token-of-other-step': refusal('The next-step token belongs to another step.'),
  'device-count-not-typed': refusal('Enter the number of devices to confirm: {devices}.', {
    facts: { devices: 'count' },
  }),
  'rollout-not-offered': refusal('{operator} operates this rollout and has not handed it over.', {
    facts: { operator: 'user', 'permission?': 'permission' },
    error: 'noPermission',
  }),
  'rollout-of-other-operator': refusal(
    '{operator} operates this rollout. Ask for a handover first.',
    { facts: { operator: 'user', 'permission?': 'permission' }, error: 'noPermission' },
  ),
  'cloud-role-refused': refusal(
    'AWS does not allow this server to assume the AirBlast role. An administrator must check the trust policy of the role.',
    { error: 'noPermission' },
  ),
  'approver-cannot-operate': refusal('You approved this rollout. Another user must operate it.', {
    facts: { 'permission?': 'permission' },
    error: 'noPermission',
  }),
  'rollout-role-ended': refusal('The AirBlast role has ended. Assume it again to continue.', {
    facts: { 'permission?': 'permission' },
    error: 'noPermission',
  }),
  'rollout-needs-second-person': refusal(
    'A user who has neither planned nor operated this rollout must approve it.',
    { facts: { 'permission?': 'permission' }, error: 'noPermission' },
  ),
  'token-of-other-user': refusal('The next-step token was issued to another user.', {
    facts: { 'permission?': 'permission' },
    error: 'noPermission',
  }),
  'token-expired': refusal('The next-step token has expired. Request a new one.', {
    facts: { 'step?': 'word', 'expiredAt?': 'time' },
    error: 'airBlastTokenExpired',
  }),
  'target-set-changed': refusal(
    'The target set has changed since the next-step token was issued. Request a new token.',
    { error: 'airBlastTokenExpired' },
  ),
} as const;
