import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ReportFile } from '@deviceportal/contract/reports';

export interface ReportToRender {
  readonly directory: string;
  /** Id of the stored JSON. */
  readonly id: string;
}

/** Creates page, tables, and PDF of a stored report in a separate thread, so that the event loop is not blocked. */
export async function renderReport(report: ReportToRender): Promise<ReportFile[]> {
  const worker = new Worker(new URL('report-renderer-worker.ts', import.meta.url), {
    workerData: report,
  });
  try {
    const [files] = (await once(worker, 'message')) as [ReportFile[]];
    return files;
  } finally {
    await worker.terminate();
  }
}
