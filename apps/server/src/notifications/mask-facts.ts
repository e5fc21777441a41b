import type { NotificationFacts } from '@deviceportal/contract/notifications';
import { maskOthers } from '../people/mask-person.ts';

/**
 * Permissions may have changed since the notification was written: users without `people:read` see the names of
 * others masked.
 */
export function maskFacts(
  facts: NotificationFacts,
  reader: { readonly readsPeople: boolean; readonly own: readonly string[] },
): NotificationFacts {
  const by = facts['by'];
  return typeof by === 'string' ? { ...facts, by: maskOthers(by, reader) } : facts;
}
