import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** `json`, `csv`, and `pdf` are downloads; `page` is shown on screen, and a shared link shows its own copy. */
export type ReportFileKind = 'json' | 'csv' | 'pdf' | 'page';

const endings: Readonly<Record<ReportFileKind, string>> = {
  json: '.json',
  csv: '.zip',
  pdf: '.pdf',
  page: '.page.json',
};

/** The path of a file of a report or redacted copy, both named by their id alone. */
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
