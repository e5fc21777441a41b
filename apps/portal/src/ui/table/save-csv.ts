import { downloadFrom } from '../download-from.ts';

/** Downloads a text as a CSV file. */
export function saveCsv(fileName: string, text: string): void {
  // Spreadsheets read a CSV file as UTF-8 only with a byte order mark, which Chinese names need.
  const marked = text.startsWith('\uFEFF') ? text : `\uFEFF${text}`;
  const url = URL.createObjectURL(new Blob([marked], { type: 'text/csv;charset=utf-8' }));
  downloadFrom(url, fileName);
  URL.revokeObjectURL(url);
}
