import type { CaseDetail } from '@deviceportal/contract/cases';
import type { OperationOutput } from '@deviceportal/contract/public-api';
import { caseOf } from '../objects/case-of.ts';
import type { Handlers } from '../operation-call.ts';

export const caseHandlers: Handlers<
  'listCases' | 'getCase' | 'listCaseEntries' | 'openCase' | 'addCaseEntry' | 'closeCase'
> = {
  async listCases({ portal, query }) {
    const { state = null, mine = false, personId = null, ticket = '', pageSize } = query;
    const { rows, nextCursor } = await portal.cases.list({
      ...{ state, mine, personId, ticket, pageSize, cursor: query.cursor ?? null },
    });
    return { items: rows.map(caseOf), nextCursor };
  },
  getCase: async ({ portal, params }) => detailOf(await portal.cases.get({ id: params.case })),
  async listCaseEntries({ portal, params, query: { pageSize, cursor = null } }) {
    const { rows, nextCursor } = await portal.cases.listEntries({
      ...{ caseId: params.case, pageSize, cursor },
    });
    return {
      items: rows.map(({ id, at, actor, kind, deviceId, runId, data }) => ({
        ...{ id, at, actor, kind, deviceId, runId, data: { ...data } },
      })),
      nextCursor,
    };
  },
  async openCase({ portal, body, viewer }) {
    // A service is not responsible for cases: users assign them.
    const assignee = viewer.service === undefined ? {} : { assigneeId: null };
    return detailOf(await portal.cases.open({ ...body, dueAt: body.dueAt ?? null, ...assignee }));
  },
  async addCaseEntry({ portal, params, body, isRepeated }) {
    if (!isRepeated) await portal.cases.addNote({ id: params.case, text: body.text });
    return detailOf(await portal.cases.get({ id: params.case }));
  },
  closeCase: async ({ portal, params, body }) =>
    detailOf(await portal.cases.close({ id: params.case, ...body })),
};

function detailOf(detail: CaseDetail): OperationOutput<'getCase'> {
  const { closedBy, outcomeText } = detail;
  return {
    ...{ ...caseOf(detail), closedBy, outcomeText },
    devices: detail.devices.map(({ id, name, serialNumber }) => ({ id, name, serialNumber })),
  };
}
