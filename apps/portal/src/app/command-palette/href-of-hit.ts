import type { SearchHit } from '@deviceportal/contract/search';
import { commandHref } from '../../commands/command-href.ts';
import { pathOfRecentItem } from '../../home/path-of-recent-item.ts';

/** The page of a search result. */
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
      return pathOfRecentItem(kind, id);
  }
}
