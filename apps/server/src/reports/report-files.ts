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
