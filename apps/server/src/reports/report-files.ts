import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** `json`, `csv` and `pdf` are handed on; `page` is what a screen shows, and what a link shows is a copy of its own. */
export type ReportFileKind = 'json' | 'csv' | 'pdf' | 'page';

const endings: Readonly<Record<ReportFileKind, string>> = {
  json: '.json',
  csv: '.zip',
  pdf: '.pdf',
  page: '.page.json',
};

/** The path of a report's file, or of the same of a redacted copy: both are named by their id alone. */
export function reportFilePath(directory: string, id: string, kind: ReportFileKind): string {
  return join(directory, `${id}${endings[kind]}`);
}

/** Deletes every file of a report, or of a redacted copy, unfinished ones included. */
export async function deleteReportFiles(directory: string, id: string): Promise<void> {
  for (const kind of Object.keys(endings) as ReportFileKind[]) {
    const path = reportFilePath(directory, id, kind);
    for (const each of [path, `${path}.part`]) await rm(each, { force: true });
  }
}

/** The id by which a file is named; undefined for other files. */
export const idOfReportFile = (fileName: string): string | undefined =>
  /^([0-9a-f-]{36})\./.exec(fileName)?.[1];
