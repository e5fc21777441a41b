import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { strToU8, zipSync } from 'fflate';
import { reportFormats, type ReportFile } from '@deviceportal/contract/reports';
import type { UserReportDocument } from '@deviceportal/contract/user-report-document';
import { layOutReport } from '@deviceportal/contract/user-report-layout';
import { reportFilePath, type ReportFileKind } from '../report-files.ts';
import { drawPdf } from './draw-pdf.ts';
import type { ReportToRender } from './render-report.ts';
import { reportTables } from './report-tables.ts';

/** Number of events of the timeline on screen. */
const PAGE_EVENTS = 300;

/** Creates page, tables, and PDF of a stored report. Returns the files for download, each with its hash. */
export async function writeRenderings({ directory, id }: ReportToRender): Promise<ReportFile[]> {
  const json = await readFile(reportFilePath(directory, id, 'json'));
  const report = JSON.parse(json.toString('utf8')) as UserReportDocument;
  const write = async (kind: ReportFileKind, content: Uint8Array): Promise<Uint8Array> => {
    const path = reportFilePath(directory, id, kind);
    await writeFile(`${path}.part`, content, { mode: 0o600 });
    await rename(`${path}.part`, path);
    return content;
  };
  const shown = { ...report, timeline: report.timeline.slice(0, PAGE_EVENTS) };
  await write('page', Buffer.from(JSON.stringify(shown)));
  const contents: Readonly<Record<ReportFile['format'], Uint8Array>> = {
    json,
    csv: await write('csv', zipped(report)),
    pdf: await write('pdf', await drawPdf(layOutReport(shown), report.paper)),
  };
  return reportFormats.map((format) => ({
    format,
    bytes: contents[format].byteLength,
    sha256: createHash('sha256').update(contents[format]).digest('hex'),
  }));
}

function zipped(report: UserReportDocument): Uint8Array {
  const mtime = new Date(report.createdAt);
  const files = [...reportTables(report)].map(([name, text]) => [name, strToU8(text)] as const);
  return zipSync(Object.fromEntries(files), { level: 6, mtime });
}
