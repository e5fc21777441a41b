import type { NotificationFacts } from '@deviceportal/contract/notifications';
import { maskOthers } from '../people/mask-person.ts';

/** Rights may have changed since it was written: whoever may not read people sees others' names masked. */
export function maskFacts(
  facts: NotificationFacts,
  reader: { readonly readsPeople: boolean; readonly own: readonly string[] },
): NotificationFacts {
  const by = facts['by'];
  return typeof by === 'string' ? { ...facts, by: maskOthers(by, reader) } : facts;
}
