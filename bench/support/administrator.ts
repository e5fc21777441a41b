import { builtinRoles } from '@deviceportal/contract/permissions';
import type { Viewer } from '../../apps/server/src/platform/viewer.ts';

/** A viewer with all permissions in all scopes. */
export const administrator: Viewer = {
  userId: '00000000-0000-7000-8000-000000000001',
  subject: 'bench',
  username: 'bench',
  displayName: 'Bench',
  email: null,
  roles: ['Administrator'],
  grants: builtinRoles.filter((role) => role.name === 'Administrator'),
  admitted: true,
  signedInAt: new Date(),
};
