import { holds } from '@deviceportal/contract/permissions';
import type { Viewer } from '../platform/viewer.ts';

/** Author of what was not written by a user. */
const SYSTEM_NAME = 'Device Portal';

/** A user's username or display name: masked without `people:read`, except the viewer's own. */
export function maskUser(
  name: string,
  viewer: Pick<Viewer, 'grants' | 'username' | 'displayName'>,
): string {
  return maskOthers(name, {
    readsPeople: holds(viewer.grants, 'people:read'),
    own: [viewer.username, viewer.displayName],
  });
}

/** The same for a recipient who is not the current caller. */
export function maskOthers(
  name: string,
  reader: { readonly readsPeople: boolean; readonly own: readonly string[] },
): string {
  const isReadable = reader.readsPeople || name === SYSTEM_NAME || reader.own.includes(name);
  return isReadable ? name : maskName(name);
}

/** The masked form of a name: enough to tell two people apart, too little to identify them. */
export function maskName(name: string): string {
  return name
    .split(/\s+/)
    .filter(Boolean)
    .map((part) => `${[...part][0] ?? ''}•••`)
    .join(' ');
}

export function maskEmail(email: string | null): string | null {
  return email === null ? null : `${[...email][0] ?? ''}•••@•••`;
}

export function maskPhone(phone: string | null): string | null {
  return phone === null ? null : `•••${phone.slice(-2)}`;
}
