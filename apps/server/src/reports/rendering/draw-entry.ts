import type { PdfPage } from './pdf-page.ts';

/** One entry of a list: what it is called, where it is called anything, and what it says. */
export function drawEntry(
  page: PdfPage,
  { label, body }: { readonly label?: () => void; readonly body: () => void },
): void {
  page.within('LI', () => {
    if (label !== undefined) page.tagged('Lbl', label);
    page.tagged('LBody', body);
  });
}
