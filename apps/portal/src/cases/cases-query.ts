import type { CaseRow, CaseSort } from '@deviceportal/contract/cases';
import type { casesSearch } from './cases-search.ts';

type Search = ReturnType<typeof casesSearch>;

/** The request of the list for the search parameters of the screen. */
export function casesQuery({ show, ticket, person, priority, queue, sort }: Search) {
  const isOpen = show !== 'closed' && show !== 'all';
  const state: CaseRow['state'] | null = show === 'all' ? null : isOpen ? 'open' : 'closed';
  return {
    ...{ state, ticket, queue },
    assignee: show === 'mine' ? 'me' : show === 'unassigned' ? 'none' : null,
    overdue: show === 'overdue',
    personId: person === '' ? null : person,
    priority: priority === '' ? null : priority,
    ...sortOf(sort),
  } as const;
}

export const sortOf = (sort: Search['sort']) => ({
  sort: sort.replace(/^-/, '') as CaseSort,
  descending: sort.startsWith('-'),
});
