import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { ReportFile } from '@deviceportal/contract/reports';
import type { FileStore } from '../../platform/files/file-store.ts';
import { readWhole } from '../../platform/files/read-whole.ts';
import { reportFileKey } from '../report-files.ts';
import type { ReportRenderings } from './create-renderings.ts';

/**
 * Creates page, tables, and PDF of a stored report in a separate thread, so that the event loop is not blocked. Returns
 * the files for download.
 */
export async function renderReport(files: FileStore, id: string): Promise<ReportFile[]> {
  const json = await readWhole(files, reportFileKey(id, 'json'));
  if (json === undefined) throw new Error(`the report ${id} is not stored`);
  const worker = new Worker(new URL('report-renderer-worker.ts', import.meta.url), {
    workerData: json,
  });
  try {
    const [{ contents, downloads }] = (await once(worker, 'message')) as [ReportRenderings];
    for (const [kind, content] of contents) {
      await files.put(reportFileKey(id, kind), Readable.from([content]));
    }
    return [...downloads];
  } finally {
    await worker.terminate();
  }
}
