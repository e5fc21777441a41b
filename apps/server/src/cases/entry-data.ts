import type { CaseEntry } from '@deviceportal/contract/cases';
import { scopesOf } from '@deviceportal/contract/permissions';
import { namesIn } from '../audit-trail/audit-names.ts';
import { isEverywhere } from '../devices/device-scope-condition.ts';
import { maskUser } from '../people/mask-person.ts';
import type { Viewer } from '../platform/viewer.ts';

/** Numbers of devices, wherever they are. */
const counts: readonly string[] = ['targets', 'devices', 'maxDevices'];

/** As the audit trail shows the same act: people masked, and nothing counted that lies outside the viewer's scope. */
export function entryData(data: CaseEntry['data'], viewer: Viewer): CaseEntry['data'] {
  const seesAll = scopesOf(viewer.grants, ['commands:read']).some(isEverywhere);
  const names = namesIn({ type: String(data['type']), data });
  return Object.fromEntries(
    Object.entries(data)
      .filter(([field]) => seesAll || !counts.includes(field))
      .map(([field, value]) => [
        field,
        names.includes(field) ? maskUser(String(value), viewer) : value,
      ]),
  );
}
