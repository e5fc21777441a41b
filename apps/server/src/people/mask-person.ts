import { holds } from '@deviceportal/contract/permissions';
import type { Viewer } from '../platform/viewer.ts';

/** Who writes what nobody wrote. */
const PORTAL_ITSELF = 'Device Portal';

/** The user behind something (a user name or a display name): others than oneself are masked without `people:read`. */
export function maskUser(
  name: string,
  viewer: Pick<Viewer, 'grants' | 'username' | 'displayName'>,
): string {
  return maskOthers(name, {
    readsPeople: holds(viewer.grants, 'people:read'),
    own: [viewer.username, viewer.displayName],
  });
}

/** The same for somebody who is not here now. */
export function maskOthers(
  name: string,
  reader: { readonly readsPeople: boolean; readonly own: readonly string[] },
): string {
  const isReadable = reader.readsPeople || name === PORTAL_ITSELF || reader.own.includes(name);
  return isReadable ? name : maskName(name);
}

/** What remains readable of a person without `people:read`: enough to tell two apart, too little to know who it is. */
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
