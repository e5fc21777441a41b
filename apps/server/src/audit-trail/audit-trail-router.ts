import {
  auditFacetsInput,
  exportAuditTrailInput,
  listAuditEventsInput,
  readAuditChainInput,
  type AuditChain,
  type AuditPage,
  type ArchivedAuditPage,
  type AuditExport,
  type AuditFacets,
} from '@deviceportal/contract/audit-trail';
import { permitted, router } from '../platform/api.ts';
import type { AuditTrailDeps } from './audit-trail-deps.ts';
import { listArchivedEvents, type HistorySources } from './archive/list-archived-events.ts';
import { exportAuditTrail } from './export/export-audit-trail.ts';
import { getAuditFacets } from './get-audit-facets.ts';
import { readAuditChain } from './verification/read-audit-chain.ts';
import { listAuditEvents } from './list-audit-events.ts';

export function createAuditTrailRouter(deps: AuditTrailDeps & HistorySources) {
  return router({
    list: permitted('audit-trail:read')
      .input(listAuditEventsInput)
      .query(({ ctx, input }): Promise<AuditPage> => listAuditEvents(deps, ctx.viewer, input)),
    export: permitted('audit-trail:export', 'reveals-personal-data')
      .input(exportAuditTrailInput)
      .mutation(({ ctx, input, signal }): Promise<AuditExport> =>
        exportAuditTrail(deps, ctx.viewer, { ...input, origin: ctx, signal }),
      ),
    listArchived: permitted('audit-trail:read')
      .input(listAuditEventsInput)
      .query(({ ctx, input, signal }): Promise<ArchivedAuditPage> =>
        listArchivedEvents(deps, ctx.viewer, { input, signal }),
      ),
    chain: permitted('audit-trail:read')
      .input(readAuditChainInput)
      .query(({ ctx, input }): Promise<AuditChain> => readAuditChain(deps, ctx.viewer, input)),
    facets: permitted('audit-trail:read')
      .input(auditFacetsInput)
      .query(({ ctx, input }): Promise<AuditFacets> =>
        getAuditFacets(deps, ctx.viewer, input.filter),
      ),
  });
}
