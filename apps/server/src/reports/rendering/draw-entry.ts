import type { PdfPage } from './pdf-page.ts';

/** An entry of a list: its label, if any, and its text. */
export function drawEntry(
  page: PdfPage,
  { label, body }: { readonly label?: () => void; readonly body: () => void },
): void {
  page.within('LI', () => {
    if (label !== undefined) page.tagged('Lbl', label);
    page.tagged('LBody', body);
  });
}
