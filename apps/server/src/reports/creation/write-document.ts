import { createWriteStream } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { UserReportDocument } from '@deviceportal/contract/user-report-document';
import { reportFilePath } from '../report-files.ts';

const EVENTS_AT_ONCE = 500;

/**
 * Stores the whole report as JSON, in pieces, so that the event loop is not blocked; renamed to its final name when
 * complete.
 * @param id of a copy, if it is one
 */
export async function writeDocument(
  directory: string,
  report: UserReportDocument,
  id: string = report.id,
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = reportFilePath(directory, id, 'json');
  await pipeline(
    Readable.from(piecesOf(report)),
    createWriteStream(`${path}.part`, { mode: 0o600 }),
  );
  await rename(`${path}.part`, path);
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
