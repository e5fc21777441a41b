import { holds } from '@deviceportal/contract/permissions';
import type { Viewer } from '../platform/viewer.ts';

/** Who writes what nobody wrote. */
const PORTAL_ITSELF = 'Device Portal';

/** The user behind something (a user name or a display name): others than oneself are masked without `people:read`. */
export function maskUser(
  name: string,
  viewer: Pick<Viewer, 'grants' | 'username' | 'displayName'>,
): string {
  const own = name === viewer.username || name === viewer.displayName;
  return own || name === PORTAL_ITSELF || holds(viewer.grants, 'people:read')
    ? name
    : maskName(name);
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
