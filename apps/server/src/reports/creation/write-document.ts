import { Readable } from 'node:stream';
import type { UserReportDocument } from '@deviceportal/contract/user-report-document';
import type { FileStore } from '../../platform/files/file-store.ts';
import { reportFileKey } from '../report-files.ts';

const EVENTS_AT_ONCE = 500;

/**
 * Stores the whole report as JSON, in pieces, so that the event loop is not blocked.
 * @param id of a copy, if it is one
 */
export async function writeDocument(
  files: FileStore,
  report: UserReportDocument,
  id: string = report.id,
): Promise<void> {
  await files.put(reportFileKey(id, 'json'), Readable.from(piecesOf(report)));
}

function* piecesOf({ timeline, ...head }: UserReportDocument): Generator<string> {
  const text = JSON.stringify(head, null, 1);
  yield `${text.slice(0, text.lastIndexOf('}')).trimEnd()},\n "timeline": [`;
  for (let at = 0; at < timeline.length; at += EVENTS_AT_ONCE) {
    const lines = timeline.slice(at, at + EVENTS_AT_ONCE).map((event) => JSON.stringify(event));
    yield `${at === 0 ? '' : ','}\n${lines.join(',\n')}`;
  }
  yield '\n]}\n';
}
