import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { ReportFile } from '@deviceportal/contract/reports';
import type { FileStore } from '../../platform/files/file-store.ts';
import { reportFileKey } from '../report-files.ts';
import type { ReportRenderings } from './create-renderings.ts';

/** The JSON of a report in pieces, and null at its end. */
export type RenderingQuestion = Uint8Array | null;

const PIECE_BYTES = 256 * 1024;

/**
 * Creates page, tables, and PDF of a stored report in a separate thread, so that the event loop is not blocked. Returns
 * the files for download.
 */
export async function renderReport(files: FileStore, id: string): Promise<ReportFile[]> {
  const json = await files.open(reportFileKey(id, 'json'));
  if (json === undefined) throw new Error(`the report ${id} is not stored`);
  const worker = new Worker(new URL('report-renderer-worker.ts', import.meta.url));
  try {
    const answer = once(worker, 'message');
    const tell = (question: RenderingQuestion): void => worker.postMessage(question);
    for await (const piece of json.content as AsyncIterable<Buffer>) tell(piece);
    tell(null);
    const [{ contents, downloads }] = (await answer) as [ReportRenderings];
    for (const [kind, content] of contents) {
      await files.put(reportFileKey(id, kind), Readable.from(piecesOf(content)));
    }
    return [...downloads];
  } finally {
    json.content.destroy();
    await worker.terminate();
  }
}

function* piecesOf(content: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < content.length; at += PIECE_BYTES) {
    yield content.subarray(at, at + PIECE_BYTES);
  }
}
