import { downloadFrom } from '../../ui/download-from.ts';

/** Offers a text as a file. */
export function saveText(fileName: string, text: string, mediaType = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${mediaType};charset=utf-8` }));
  downloadFrom(url, fileName);
  // The click has taken hold of it; a later task may let it go.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
