import { downloadFrom } from '../../ui/download-from.ts';

/** Downloads a text as a file. */
export function saveText(fileName: string, text: string, mediaType = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${mediaType};charset=utf-8` }));
  downloadFrom(url, fileName);
  // The browser has started the download by then, so the object URL can be released.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
