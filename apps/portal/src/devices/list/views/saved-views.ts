import type { SavedView } from '@deviceportal/contract/devices';
import type { MessageKey } from '../../../i18n/message-key.ts';
import { devicesDefaults } from '../../devices-search.ts';

/** Stands in the address for "no view": the list as it is, and not the person's default view. */
export const ALL_DEVICES = 'all';

/** The parts of the address that make a view. */
const viewFields = ['q', 'op', 'sort', 'targets'] as const;
export type ViewSearch = Readonly<Record<(typeof viewFields)[number], string>>;

/** A screen whose address can be kept as a view. */
export interface ViewScreen {
  readonly id: 'devices' | 'audit-trail';
  /** The word for the screen without a view. */
  readonly all: MessageKey;
  /** The parts of the address that make a view, and what they are without one. */
  readonly fields: readonly string[];
  readonly defaults: Readonly<Record<string, string>>;
  /** Whether it can open with a view. */
  readonly hasDefault: boolean;
}

export const deviceViews: ViewScreen = {
  id: 'devices',
  all: 'devices.views.all',
  fields: viewFields,
  defaults: { q: '', op: 'and', sort: '', targets: '' },
  hasDefault: true,
};

/** Whether an address says nothing at all about which devices it lists, not even which view. */
export function isBareAddress(
  search: Readonly<Record<'view' | 'q' | 'targets' | 'sort', string>>,
): boolean {
  const { view, q, targets, sort } = search;
  return [view, q, targets, sort].every((field) => field === '');
}

/** What is saved of an address: only what differs from the defaults. */
export function viewSearchOf(
  search: Readonly<Record<string, string>>,
  { fields, defaults }: ViewScreen = deviceViews,
): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = search[field] ?? '';
      return value === defaults[field] ? [] : [[field, value]];
    }),
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
export function isChanged(
  view: SavedView,
  search: Readonly<Record<string, string>>,
  screen: ViewScreen = deviceViews,
): boolean {
  const { fields, defaults } = screen;
  return fields.some(
    (field) => (view.search[field] ?? defaults[field]) !== (search[field] ?? defaults[field]),
  );
}
