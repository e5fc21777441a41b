import {
  addCaseNoteInput,
  assignCaseInput,
  caseReferenceInput,
  closeCaseInput,
  listAssigneesInput,
  listCaseEntriesInput,
  listCasesInput,
  listQueuesInput,
  openCaseInput,
  updateCaseInput,
  type ActiveCase,
  type CaseAssignee,
  type CaseDetail,
  type CaseEntry,
  type CaseRow,
} from '@deviceportal/contract/cases';
import type { Page } from '@deviceportal/contract/pages';
import { permitted, router } from '../platform/api.ts';
import { addCaseNote } from './add-case-note.ts';
import { assignCase } from './assign-case.ts';
import { closeCase, type CloseCaseDeps } from './close-case.ts';
import { enterCase } from './enter-case.ts';
import { getActiveCase } from './get-active-case.ts';
import { getCase } from './get-case.ts';
import { leaveCase } from './leave-case.ts';
import { listAssignees } from './list-assignees.ts';
import { listCaseEntries } from './list-case-entries.ts';
import { listCases } from './list-cases.ts';
import { listQueues } from './list-queues.ts';
import { openCase } from './open-case.ts';
import { reopenCase } from './reopen-case.ts';
import { updateCase } from './update-case.ts';

export function createCasesRouter(deps: CloseCaseDeps) {
  return router({
    list: permitted(['cases:read', 'cases:manage'])
      .input(listCasesInput)
      .query(({ ctx, input }): Promise<Page<CaseRow>> => listCases(deps, ctx.viewer, input)),
    get: permitted(['cases:read', 'cases:manage'])
      .input(caseReferenceInput)
      .query(({ ctx, input }): Promise<CaseDetail> => getCase(deps, ctx.viewer, input.id)),
    listEntries: permitted(['cases:read', 'cases:manage'])
      .input(listCaseEntriesInput)
      .query(({ ctx, input }): Promise<Page<CaseEntry>> =>
        listCaseEntries(deps, ctx.viewer, input),
      ),
    listAssignees: permitted('cases:manage')
      .input(listAssigneesInput)
      .query(({ ctx, input }): Promise<CaseAssignee[]> => listAssignees(deps, ctx.viewer, input)),
    listQueues: permitted(['cases:read', 'cases:manage'])
      .input(listQueuesInput)
      .query(({ ctx, input }): Promise<string[]> => listQueues(deps, ctx.viewer, input)),
    active: permitted('cases:manage').query(({ ctx }): Promise<ActiveCase | null> =>
      getActiveCase(deps, ctx.viewer),
    ),
    open: permitted('cases:manage')
      .input(openCaseInput)
      .mutation(({ ctx, input }): Promise<CaseDetail> => openCase(deps, ctx, input)),
    enter: permitted('cases:manage')
      .input(caseReferenceInput)
      .mutation(({ ctx, input }): Promise<CaseDetail> => enterCase(deps, ctx, input.id)),
    leave: permitted('cases:manage').mutation(({ ctx }): Promise<void> =>
      leaveCase(deps, ctx.viewer),
    ),
    update: permitted('cases:manage')
      .input(updateCaseInput)
      .mutation(({ ctx, input }): Promise<CaseDetail> => updateCase(deps, ctx, input)),
    assign: permitted('cases:manage')
      .input(assignCaseInput)
      .mutation(({ ctx, input }): Promise<CaseDetail> => assignCase(deps, ctx, input)),
    addNote: permitted('cases:manage')
      .input(addCaseNoteInput)
      .mutation(({ ctx, input }): Promise<void> => addCaseNote(deps, ctx, input)),
    close: permitted('cases:manage')
      .input(closeCaseInput)
      .mutation(({ ctx, input }): Promise<CaseDetail> => closeCase(deps, ctx, input)),
    reopen: permitted('cases:manage')
      .input(caseReferenceInput)
      .mutation(({ ctx, input }): Promise<CaseDetail> => reopenCase(deps, ctx, input.id)),
  });
}
