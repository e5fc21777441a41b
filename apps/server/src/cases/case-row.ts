import { CASE_ENTRIES_COUNTED, type CaseRow } from '@deviceportal/contract/cases';
import { maskName, maskUser } from '../people/mask-person.ts';
import { isoOrNull } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { StoredCase } from './data/case-queries.ts';

/** The case with names masked according to the viewer's permissions. */
export function caseRow(stored: StoredCase, viewer: Viewer): CaseRow {
  const { id, personId, personName, state, ticket, about, outcome, entryCount, mine } = stored;
  return {
    id,
    person: { id: personId, name: stored.named ? personName : maskName(personName) },
    ...{ state, ticket, about, outcome, mine },
    openedBy: maskUser(stored.openedBy, viewer),
    openedAt: stored.openedAt.toISOString(),
    closedAt: isoOrNull(stored.closedAt),
    lastEntryAt: stored.lastEntryAt.toISOString(),
    entries: {
      count: Math.min(entryCount, CASE_ENTRIES_COUNTED),
      exact: entryCount <= CASE_ENTRIES_COUNTED,
    },
  };
}
