import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ReportLayout } from '@deviceportal/contract/report-blocks';
import type { ReportLanguage, ReportPaper } from '@deviceportal/contract/reports';

/** A layout without functions, which a thread cannot receive. */
export interface EvidenceLayout extends Pick<ReportLayout, 'title' | 'subtitle' | 'sections'> {
  readonly language: ReportLanguage;
  readonly footer: string;
}

export interface DrawingQuestion {
  readonly layout: EvidenceLayout;
  readonly paper: ReportPaper;
}

/** Draws a PDF in a separate thread, so that the event loop is not blocked. */
export async function drawInThread(
  layout: EvidenceLayout,
  paper: ReportPaper,
): Promise<Uint8Array> {
  const worker = new Worker(new URL('evidence-renderer-worker.ts', import.meta.url));
  try {
    const answer = once(worker, 'message');
    worker.postMessage({ layout, paper } satisfies DrawingQuestion);
    const [content] = (await answer) as [Uint8Array];
    return content;
  } finally {
    await worker.terminate();
  }
}
