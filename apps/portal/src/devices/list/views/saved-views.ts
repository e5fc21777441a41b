import type { SavedView } from '@deviceportal/contract/devices';
import type { MessageKey } from '../../../i18n/message-key.ts';
import { devicesDefaults } from '../../devices-search.ts';

/** In the address: no view, so that the default view does not open. */
export const ALL_DEVICES = 'all';

/** The parts of the address that a view stores. */
const viewFields = ['q', 'op', 'sort', 'targets'] as const;
export type ViewSearch = Readonly<Record<(typeof viewFields)[number], string>>;

/** A screen whose address can be saved as a view. */
export interface ViewScreen {
  readonly id: 'devices' | 'audit-trail';
  /** The label of the option without a view. */
  readonly all: MessageKey;
  /** The parts of the address that a view stores. */
  readonly fields: readonly string[];
  readonly defaults: Readonly<Record<string, string>>;
  /** Whether a default view can be set. */
  readonly hasDefault: boolean;
}

export const deviceViews: ViewScreen = {
  id: 'devices',
  all: 'devices.views.all',
  fields: viewFields,
  defaults: { q: '', op: 'and', sort: '', targets: '' },
  hasDefault: true,
};

/** Whether the address contains no filter and no view. */
export function isBareAddress(
  search: Readonly<Record<'view' | 'q' | 'targets' | 'sort', string>>,
): boolean {
  const { view, q, targets, sort } = search;
  return [view, q, targets, sort].every((field) => field === '');
}

/** The parts of an address to save: only those that differ from the defaults. */
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

/** The address of a saved view, with every part set, so that it replaces the previous filter. */
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

/** Whether the address differs from the view that it names. */
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
