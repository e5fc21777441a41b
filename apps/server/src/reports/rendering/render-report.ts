import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ReportFile } from '@deviceportal/contract/reports';

export interface ReportToRender {
  readonly directory: string;
  /** Of the JSON that stands there. */
  readonly id: string;
}

/** Makes page, tables and PDF of a kept JSON, in a thread of its own: requests are answered meanwhile. */
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
