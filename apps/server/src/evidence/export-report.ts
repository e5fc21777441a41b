import type { z } from 'zod';
import type {
  evidenceReportInput,
  EvidenceFile,
  EvidenceKind,
} from '@deviceportal/contract/evidence';
import type { ReportLanguage } from '@deviceportal/contract/reports';
import type { Caller, Viewer } from '../platform/viewer.ts';
import { drawInThread, type EvidenceLayout } from './draw-in-thread.ts';
import type { EvidenceDeps } from './evidence-deps.ts';
import { keepEvidence, makingEvidence } from './keep-evidence.ts';

/** Lays out what the viewer sees of a subject. @throws PortalError if it is outside the viewer's scope */
export type LayOutEvidence = (
  deps: EvidenceDeps,
  viewer: Viewer,
  subject: { readonly id: string; readonly language: ReportLanguage },
) => Promise<EvidenceLayout>;

interface ReportWanted extends z.infer<typeof evidenceReportInput> {
  readonly kind: EvidenceKind;
  readonly layOut: LayOutEvidence;
}

/** A PDF with what the viewer sees of a subject on its screen. */
export function exportReport(
  deps: EvidenceDeps,
  caller: Caller,
  { id, kind, language, paper, layOut }: ReportWanted,
): Promise<EvidenceFile> {
  return makingEvidence(deps, caller, async () => {
    const layout = await layOut(deps, caller.viewer, { id, language });
    const content = await drawInThread(layout, paper);
    return keepEvidence(deps, caller, { subject: { kind, id }, format: 'pdf', content });
  });
}
