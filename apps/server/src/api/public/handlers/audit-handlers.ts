import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import type { OperationOutput } from '@deviceportal/contract/public-api';
import type { Handlers } from '../operation-call.ts';
import { deviceIdsOf } from './device-handlers.ts';

export const auditHandlers: Handlers<'listAuditEvents'> = {
  async listAuditEvents({ portal, query }) {
    const { from = null, to = null, type: types = [], device, actor = null, pageSize } = query;
    const { run = null, case: caseId = null, text = '', cursor = null } = query;
    const [deviceId = null] = device === undefined ? [] : await deviceIdsOf(portal, [device]);
    const page = await portal.auditTrail.list({
      filter: {
        ...{ range: { from, to }, types, deviceId, actorId: actor, runId: run, caseId, text },
      },
      ...{ pageSize, cursor },
    });
    const { nextCursor, complete, archivedUntil } = page;
    return { items: page.rows.map(eventOf), nextCursor, complete, archivedUntil };
  },
};

function eventOf(event: AuditEvent): OperationOutput<'listAuditEvents'>['items'][number] {
  const { id, at, type, deviceId, deviceName, serialNumber, command, actor, requestId } = event;
  return {
    ...{ id, at, type, command, requestId, data: { ...event.data } },
    device: deviceId === null ? null : { id: deviceId, name: deviceName, serialNumber },
    actor: { kind: actor.kind, id: actor.id, name: actor.name },
  };
}
