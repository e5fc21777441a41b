import type { CaseRow } from '@deviceportal/contract/cases';
import type { OperationOutput } from '@deviceportal/contract/public-api';

/** A case as applications see it. */
export function caseOf(row: CaseRow): OperationOutput<'listCases'>['items'][number] {
  const { id, person, state, ticket, about, priority, queue, assignee, openedBy, openedAt } = row;
  const { dueAt, closedAt, outcome, lastEntryAt } = row;
  return {
    ...{ id, state, ticket, about, priority, queue, openedBy, openedAt, dueAt, closedAt },
    ...{ outcome, lastEntryAt },
    person: { id: person.id, name: person.name },
    assignee: assignee?.isActive ? { id: assignee.id, name: assignee.name } : null,
  };
}
