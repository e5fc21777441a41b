import { importKinds, type ImportKind } from '@deviceportal/contract/imports';
import { PortalError } from '@deviceportal/contract/errors';
import { holds } from '@deviceportal/contract/permissions';
import { deviceRows } from '../devices/import/device-rows.ts';
import { personRows } from '../people/import/person-rows.ts';
import { requireAllPeople } from '../people/import/require-all-people.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { RowKind } from './row-kind.ts';

/** A kind whose values only its own functions look into. */
export type AnyRowKind = RowKind<unknown, unknown>;

const kinds = { devices: deviceRows, people: personRows };

export const kindOfRows = (kind: ImportKind): AnyRowKind => kinds[kind] as unknown as AnyRowKind;

/** The kinds that a user can import. */
export const permittedKinds = ({ grants }: Viewer): ImportKind[] =>
  importKinds.filter((kind) => holds(grants, `${kind}:manage`));

/** @throws PortalError 1000 */
export function requireKind(viewer: Viewer, kind: ImportKind): void {
  if (kind === 'people') {
    requireAllPeople(viewer);
    return;
  }
  if (holds(viewer.grants, 'devices:manage')) return;
  throw new PortalError('noPermission', { facts: { permission: 'devices:manage' } });
}
