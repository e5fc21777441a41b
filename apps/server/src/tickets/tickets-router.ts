import {
  retryTicketInput,
  saveTicketSystemInput,
  ticketOfCaseInput,
  type CaseTicket,
  type TicketSystem,
  type TicketSystemTest,
} from '@deviceportal/contract/ticket-systems';
import type { CasesDeps } from '../cases/cases-deps.ts';
import { permitted, router } from '../platform/api.ts';
import { createTicket, getTicketOfCase, retryTicket } from './create-ticket.ts';
import {
  getTicketSystem,
  removeTicketSystem,
  saveTicketSystem,
  testTicketSystem,
} from './save-ticket-system.ts';
import type { TicketsDeps } from './tickets-deps.ts';

/** Tickets of cases in another system, and the connection to it. */
export function createTicketsRouter(deps: TicketsDeps & CasesDeps) {
  return router({
    getSystem: permitted('access:manage').query((): Promise<TicketSystem | null> =>
      getTicketSystem(deps),
    ),
    saveSystem: permitted('access:manage', 'grants-rights')
      .input(saveTicketSystemInput)
      .mutation(({ ctx, input }): Promise<void> => saveTicketSystem(deps, ctx, input)),
    removeSystem: permitted('access:manage', 'grants-rights').mutation(({ ctx }): Promise<void> =>
      removeTicketSystem(deps, ctx),
    ),
    testSystem: permitted('access:manage').mutation((): Promise<TicketSystemTest> =>
      testTicketSystem(deps),
    ),
    ofCase: permitted(['cases:read', 'cases:manage'])
      .input(ticketOfCaseInput)
      .query(({ ctx, input }): Promise<CaseTicket> =>
        getTicketOfCase(deps, ctx.viewer, input.caseId),
      ),
    create: permitted('cases:manage')
      .input(ticketOfCaseInput)
      .mutation(({ ctx, input }): Promise<CaseTicket> => createTicket(deps, ctx, input.caseId)),
    retry: permitted('cases:manage')
      .input(retryTicketInput)
      .mutation(({ ctx, input }): Promise<CaseTicket> => retryTicket(deps, ctx, input.caseId)),
  });
}
