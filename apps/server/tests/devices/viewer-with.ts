import type { Grant, Permission, Scope } from '@deviceportal/contract/permissions';
import { builtinRoles, everywhere } from '@deviceportal/contract/permissions';
import type { Caller, Viewer } from '../../src/platform/viewer.ts';

/** A viewer with exactly these permissions. */
export function viewerWith(grants: readonly Grant[], over: Partial<Viewer> = {}): Viewer {
  return {
    userId: '01900000-0000-7000-8000-00000000aaaa',
    subject: 'subject',
    username: 'tester@example.com',
    displayName: 'Tester',
    email: 'tester@example.com',
    roles: ['Administrator'],
    grants,
    admitted: true,
    signedInAt: new Date(),
    ...over,
  };
}

export const administrator = viewerWith(
  builtinRoles.filter((role) => role.name === 'Administrator'),
);

export function limitedTo(scope: Partial<Scope>, permissions: readonly Permission[]): Viewer {
  return viewerWith([{ permissions, scope: { ...everywhere, ...scope } }]);
}

export function callerOf(viewer: Viewer): Caller {
  return { viewer, requestId: 'request-1', address: '127.0.0.1' };
}
