import type { SearchHit, SearchReason } from '@deviceportal/contract/search';
import type { FoundPerson } from './data/person-search-queries.ts';

/** A person as a result of a search. */
export const personHit = (
  person: Omit<FoundPerson, 'byForm'>,
  score: number,
  why?: SearchReason,
): SearchHit => ({
  kind: 'person',
  id: person.id,
  label: person.name,
  detail: [person.email, person.phone].filter(Boolean).join(' · ') || person.username,
  score,
  state: null,
  at: null,
  ...(why === undefined ? {} : { why }),
});
