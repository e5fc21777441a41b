import { refusal } from '../refusals/refusal.ts';

export const accessRefusals = {
  'role-out-of-reach': refusal('The role {role} does not cover this scope.', {
    facts: { role: 'role' },
  }),
  'access-already-held': refusal('You already hold everything that this role grants.'),
  'access-already-requested': refusal(
    'You have already requested this role, or hold it temporarily.',
  ),
  'no-approver': refusal('No other user can approve this request.'),
  'requester-inactive': refusal('The requester cannot use the portal at the moment.'),
  'request-already-decided': refusal('This request is already decided.'),
  'users-kept-elsewhere': refusal(
    'Users are managed at the identity provider. They appear here when they sign in.',
  ),
  'last-administrator': refusal(
    'This is the last administrator. Make another user an administrator first.',
  ),
  'review-open': refusal('An access review is open. Complete it before you start another.'),
  'review-closed': refusal('This access review is closed.'),
  'role-by-group': refusal(
    'The user has this role as a member of the administrators’ group. Remove the user from the group at the identity provider.',
  ),
  'role-changed': refusal(
    'Another user changed this role in the meantime. Review it and try again.',
  ),
  'role-built-in': refusal(
    '{role} is a built-in role and cannot be changed. Duplicate it instead.',
    { facts: { role: 'role' } },
  ),
  'role-gone': refusal('One of the selected roles no longer exists.', { facts: { 'role?': 'id' } }),
  'user-status-refuses': refusal(
    'This action is not available for a user whose status is {status}.',
    { facts: { status: 'word' } },
  ),
  'already-signed-in': refusal('Only users who have not signed in yet can be invited again.'),
  'name-reserved': refusal(
    'Names that start with “service-token:” are reserved. Enter another one.',
  ),
  'identifier-invalid': refusal(
    'Enter a username, an email address, or a phone number such as +48123456789.',
  ),
  'contact-invalid': refusal('Enter an email address or a phone number such as +48123456789.'),
  'no-own-provider': refusal(
    'This installation has no identity provider of its own. Users sign in elsewhere.',
  ),
  'own-role': refusal('You cannot delete a role that you hold.', {
    facts: { 'permission?': 'permission' },
    error: 'noPermission',
  }),
  'own-access': refusal('You cannot change your own access. Ask another administrator.', {
    facts: { 'permission?': 'permission' },
    error: 'noPermission',
  }),
  'own-access-lost': refusal('This would remove your own permission to manage access.', {
    facts: { 'permission?': 'permission' },
    error: 'noPermission',
  }),
  'permission-not-held': refusal(
    'You can only grant or remove permissions that you hold yourself. You do not hold: {permission}.',
    { facts: { permission: 'permission' }, error: 'noPermission' },
  ),
  'outlasts-temporary-access': refusal(
    'This stays after your temporary access has ended. Ask a user who holds the role permanently.',
    { facts: { 'permission?': 'permission' }, error: 'noPermission' },
  ),
  'temporary-access-ended': refusal('Your temporary access has ended.', { error: 'noPermission' }),
} as const;
