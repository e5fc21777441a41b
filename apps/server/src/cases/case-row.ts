import { CASE_ENTRIES_COUNTED, type CaseRow } from '@deviceportal/contract/cases';
import type { NamedPerson } from '@deviceportal/contract/people';
import { maskEmail, maskName, maskPhone, maskUser } from '../people/mask-person.ts';
import { isoOrNull } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { priorityOf } from './case-priority.ts';
import type { StoredCase } from './data/case-queries.ts';

/** The case with names masked according to the viewer's permissions. */
export function caseRow(stored: StoredCase, viewer: Viewer): CaseRow {
  const { id, personId, state, ticket, about, outcome, entryCount, mine, queue } = stored;
  const { assigneeId, assignee } = stored;
  return {
    id,
    person: { id: personId, ...maskPerson(stored) },
    ...{ state, ticket, about, outcome, mine, queue },
    assignee:
      assigneeId === null
        ? null
        : {
            id: assigneeId,
            name: maskUser(assignee ?? '', viewer),
            isActive: stored.hasActiveAssignee,
          },
    priority: priorityOf(stored.priority),
    dueAt: isoOrNull(stored.dueAt),
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

function maskPerson({
  named,
  personName: name,
  personEmail: email,
  personPhone: phone,
}: StoredCase): Required<NamedPerson> {
  if (named) return { name, email, phone };
  return { name: maskName(name), email: maskEmail(email), phone: maskPhone(phone) };
}
