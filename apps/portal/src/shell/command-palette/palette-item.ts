import type { SearchHit, SearchKind } from '@deviceportal/contract/search';
import type { RecentItem } from '@deviceportal/contract/session';
import { commandHref } from '../../commands/command-href.ts';
import type { StateKind } from '../status-of.tsx';

export interface PaletteItem {
  readonly id: string;
  /** Items of one section stand together under it. */
  readonly section: string;
  readonly label: string;
  readonly detail: string;
  readonly state?: { readonly kind: StateKind; readonly value: string } | undefined;
  readonly at?: string | null;
  /** Where it lives; absent for what does something here. */
  readonly href?: string;
  readonly act: () => void;
}

/** Where something found lives. */
export function hrefOfHit({ kind, id, label }: SearchHit): string {
  const value = encodeURIComponent(id);
  switch (kind) {
    case 'run':
      return commandHref(label, { run: id });
    case 'invocation':
      return commandHref(label, { invocation: id });
    case 'air-blast':
      return `/air-blast/${value}`;
    case 'case':
      return `/cases/${value}`;
    case 'schedule':
      return '/commands';
    case 'software':
      return `/tavs?component=${encodeURIComponent(id.slice(0, id.lastIndexOf(':')))}`;
    default:
      return pathOf(kind, id);
  }
}

/** Where a remembered thing lives. */
export function pathOf(kind: RecentItem['kind'], id: string): string {
  const value = encodeURIComponent(id);
  switch (kind) {
    case 'device':
      return `/devices/${value}`;
    case 'document':
      return `/documents/${value}`;
    case 'person':
      return `/people/${value}`;
    case 'run':
      return `/commands?sel=${value}`;
  }
}

/** Which words a state of something found has. */
export const stateKindOf: Readonly<Record<SearchKind, StateKind | null>> = {
  device: 'connectivity',
  person: null,
  case: 'case',
  run: 'run',
  invocation: 'invocation',
  'air-blast': 'airBlast',
  schedule: 'schedule',
  document: 'document',
  software: 'softwareVersion',
};
