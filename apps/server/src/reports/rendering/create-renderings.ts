import { createHash } from 'node:crypto';
import { strToU8, zipSync } from 'fflate';
import { reportFormats, type ReportFile } from '@deviceportal/contract/reports';
import type { UserReportDocument } from '@deviceportal/contract/user-report-document';
import { layOutReport } from '@deviceportal/contract/user-report-layout';
import type { ReportFileKind } from '../report-files.ts';
import { drawPdf } from './draw-pdf.ts';
import { reportTables } from './report-tables.ts';

/** Number of events of the timeline on screen. */
const PAGE_EVENTS = 300;

export interface ReportRenderings {
  /** What is created from the JSON, in the order of storing. */
  readonly contents: readonly (readonly [kind: ReportFileKind, content: Uint8Array])[];
  /** The files for download, each with its hash. */
  readonly downloads: readonly ReportFile[];
}

/** Creates page, tables, and PDF from the JSON of a report. */
export async function createRenderings(json: Uint8Array): Promise<ReportRenderings> {
  const report = JSON.parse(Buffer.from(json).toString('utf8')) as UserReportDocument;
  const shown = { ...report, timeline: report.timeline.slice(0, PAGE_EVENTS) };
  const page = Buffer.from(JSON.stringify(shown));
  const csv = zipped(report);
  const pdf = await drawPdf(layOutReport(shown), report.paper);
  const files: Readonly<Record<ReportFile['format'], Uint8Array>> = { json, csv, pdf };
  return {
    contents: [
      ['page', page],
      ['csv', csv],
      ['pdf', pdf],
    ],
    downloads: reportFormats.map((format) => ({
      format,
      bytes: files[format].byteLength,
      sha256: createHash('sha256').update(files[format]).digest('hex'),
    })),
  };
}

function zipped(report: UserReportDocument): Uint8Array {
  const mtime = new Date(report.createdAt);
  const files = [...reportTables(report)].map(([name, text]) => [name, strToU8(text)] as const);
  return zipSync(Object.fromEntries(files), { level: 6, mtime });
}
