import type { FileStore } from '../platform/files/file-store.ts';

/** `json`, `csv`, and `pdf` are downloads; `page` is shown on screen, and a shared link shows its own copy. */
export type ReportFileKind = 'json' | 'csv' | 'pdf' | 'page';

const endings: Readonly<Record<ReportFileKind, string>> = {
  json: '.json',
  csv: '.zip',
  pdf: '.pdf',
  page: '.page.json',
};

/** The key of a file of a report or redacted copy, both named by their id alone. */
export const reportFileKey = (id: string, kind: ReportFileKind): string => `${id}${endings[kind]}`;

/** Deletes every file of a report, or of a redacted copy, unfinished ones included. */
export async function deleteReportFiles(files: FileStore, id: string): Promise<void> {
  for (const kind of Object.keys(endings) as ReportFileKind[]) {
    await files.remove(reportFileKey(id, kind));
  }
}

/** The id by which a file is named; undefined for other files. */
export const idOfReportFile = (key: string): string | undefined =>
  /^([0-9a-f-]{36})\./.exec(key)?.[1];
