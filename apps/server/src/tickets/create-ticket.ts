import { newId } from '@deviceportal/contract/ids';
import { refuse } from '@deviceportal/contract/refuse';
import type { CaseTicket } from '@deviceportal/contract/ticket-systems';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { caseChanges } from '../cases/record-in-case.ts';
import { getCase } from '../cases/get-case.ts';
import { requireOpenCase, requireCase } from '../cases/require-case.ts';
import { inTransaction } from '../platform/database/database.ts';
import { isoOf } from '../platform/moment-cursor.ts';
import type { Caller, Viewer } from '../platform/viewer.ts';
import {
  findSystem,
  findTicket,
  insertDeliveries,
  insertTicket,
  pendingDeliveries,
  reopenDeliveries,
} from './data/ticket-queries.ts';
import type { TicketsDeps } from './tickets-deps.ts';

type Deps = Pick<TicketsDeps, 'database' | 'changes' | 'clock'>;
type CaseReader = Parameters<typeof getCase>[0];

/**
 * The ticket of a case, and what it was not told yet.
 * @throws PortalError 2003 for a case that is not visible
 */
export async function getTicketOfCase(
  deps: Deps & CaseReader,
  viewer: Viewer,
  caseId: string,
): Promise<CaseTicket> {
  await getCase(deps, viewer, caseId);
  const { orm } = deps.database;
  const system = await findSystem(orm);
  const found = await findTicket(orm, caseId);
  const pending = await pendingDeliveries(orm, caseId);
  return {
    system: system?.settings.kind ?? null,
    ticket:
      found === undefined || found.key === null || found.url === null
        ? null
        : { key: found.key, url: found.url },
    pending: pending.flatMap(({ id, act, state, attempts, lastError, createdAt, freeAt }) =>
      state === 'delivered'
        ? []
        : [
            {
              ...{ id, act, state, attempts, lastError, createdAt: isoOf(createdAt) },
              nextAt: state === 'failed' ? null : isoOf(freeAt),
            },
          ],
    ),
  };
}

/**
 * Requests a ticket for an open case. A repeated request creates no second one.
 * @throws PortalError 2003; 2004 if the case is closed, or no ticket system is connected
 */
export async function createTicket(
  deps: Deps & CaseReader,
  caller: Caller,
  caseId: string,
): Promise<CaseTicket> {
  const { viewer } = caller;
  const at = deps.clock();
  await inTransaction(deps.database, async (tx) => {
    await requireOpenCase(tx, viewer, caseId);
    const system = await findSystem(tx);
    if (system === undefined) throw refuse('ticket-system-missing');
    if (!(await insertTicket(tx, { caseId, kind: system.settings.kind }))) return;
    await insertDeliveries(tx, [
      { id: newId(), caseId, act: 'create', entryId: null, createdAt: at },
    ]);
    await recordAudit(tx, [
      {
        type: 'case.ticket-requested',
        actor: actorOf(viewer, caller),
        requestId: caller.requestId,
        ...{ caseId, at },
        data: { caseId, system: system.settings.kind },
      },
    ]);
  });
  deps.changes.publish(caseChanges(caseId));
  return getTicketOfCase(deps, viewer, caseId);
}

/** Sends what was given up again, in its order. */
export async function retryTicket(
  deps: Deps & CaseReader,
  caller: Caller,
  caseId: string,
): Promise<CaseTicket> {
  await inTransaction(deps.database, async (tx) => {
    await requireCase(tx, caller.viewer, caseId);
    const count = await reopenDeliveries(tx, caseId, deps.clock());
    if (count === 0) return;
    await recordAudit(tx, [
      {
        type: 'case.ticket-retried',
        actor: actorOf(caller.viewer, caller),
        requestId: caller.requestId,
        caseId,
        data: { caseId, count },
      },
    ]);
  });
  return getTicketOfCase(deps, caller.viewer, caseId);
}
