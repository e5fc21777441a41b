import type { SavedView } from '@deviceportal/contract/devices';
import { devicesDefaults } from '../devices-search.ts';

/** Stands in the address for "no view": the list as it is, and not the person's default view. */
export const ALL_DEVICES = 'all';

/** The parts of the address that make a view. */
const viewFields = ['q', 'op', 'sort', 'targets'] as const;
export type ViewSearch = Readonly<Record<(typeof viewFields)[number], string>>;

/** What is saved of an address: only what differs from the defaults. */
export function viewSearchOf(search: ViewSearch): Record<string, string> {
  return Object.fromEntries(
    viewFields.flatMap((field) =>
      search[field] === devicesDefaults[field] ? [] : [[field, search[field]]],
    ),
  );
}

/** The address of a saved view, every part set, so that what was there before does not stay. */
export function searchOfView(view: SavedView): ViewSearch {
  const value = (field: (typeof viewFields)[number]): string =>
    view.search[field] ?? devicesDefaults[field];
  return {
    q: value('q'),
    op: value('op') === 'or' ? 'or' : 'and',
    sort: value('sort'),
    targets: value('targets'),
  };
}

/** Whether the address has moved away from the view it names. */
export function isChanged(view: SavedView, search: ViewSearch): boolean {
  const saved = searchOfView(view);
  return viewFields.some((field) => saved[field] !== search[field]);
}
