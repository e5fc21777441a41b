import {
  evidenceProofInput,
  evidenceReportInput,
  type EvidenceFile,
} from '@deviceportal/contract/evidence';
import { permitted, router } from '../platform/api.ts';
import type { EvidenceDeps } from './evidence-deps.ts';
import { exportProof } from './export-proof.ts';
import { exportReport } from './export-report.ts';
import { airBlastLayout } from './layouts/air-blast-layout.ts';
import { caseLayout } from './layouts/case-layout.ts';
import { invocationLayout } from './layouts/invocation-layout.ts';
import { runLayout } from './layouts/run-layout.ts';

/** Reports (PDF) and proofs (zip) of a result, a run, a case, or a rollout. */
export function createEvidenceRouter(deps: EvidenceDeps) {
  return router({
    reportInvocation: permitted('commands:read')
      .input(evidenceReportInput)
      .mutation(({ ctx, input }): Promise<EvidenceFile> =>
        exportReport(deps, ctx, { ...input, kind: 'invocation', layOut: invocationLayout }),
      ),
    reportRun: permitted('commands:read')
      .input(evidenceReportInput)
      .mutation(({ ctx, input }): Promise<EvidenceFile> =>
        exportReport(deps, ctx, { ...input, kind: 'run', layOut: runLayout }),
      ),
    reportCase: permitted(['cases:read', 'cases:manage'])
      .input(evidenceReportInput)
      .mutation(({ ctx, input }): Promise<EvidenceFile> =>
        exportReport(deps, ctx, { ...input, kind: 'case', layOut: caseLayout }),
      ),
    reportAirBlast: permitted(['air-blast:run', 'air-blast:approve'])
      .input(evidenceReportInput)
      .mutation(({ ctx, input }): Promise<EvidenceFile> =>
        exportReport(deps, ctx, { ...input, kind: 'air-blast', layOut: airBlastLayout }),
      ),
    /** Without `audit-trail:export`, only what the viewer did. */
    proof: permitted(['audit-trail:read', 'audit-trail:export'])
      .input(evidenceProofInput)
      .mutation(({ ctx, input }): Promise<EvidenceFile> => exportProof(deps, ctx, input)),
  });
}
