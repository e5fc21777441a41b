import type { CaseEntry } from '@deviceportal/contract/cases';
import { scopesOf } from '@deviceportal/contract/permissions';
import { namesIn } from '../audit-trail/audit-names.ts';
import { isEverywhere } from '../devices/is-everywhere.ts';
import { maskUser } from '../people/mask-person.ts';
import type { Viewer } from '../platform/viewer.ts';

/** Keys of device counts, at any depth. */
const counts: readonly string[] = ['targets', 'devices', 'maxDevices'];

/**
 * Data of an entry as shown in the audit trail: people are masked, and counts of devices are removed unless the
 * viewer's scope is the whole fleet.
 */
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
