import type { ReportBlock } from '@deviceportal/contract/report-blocks';
import { drawEntry } from './draw-entry.ts';
import { pdfColors } from './pdf-colors.ts';
import type { PdfPage } from './pdf-page.ts';

const LABEL = 110;
const WORDS = 130;
const HEIGHT = 9;
const STEP = 15;

/** A bar for each device over the time range, with the same data as text next to it. */
export function drawStrips(
  page: PdfPage,
  { strips, legend, from, to }: Extract<ReportBlock, { readonly kind: 'strips' }>,
): void {
  const { document } = page;
  const width = page.width - LABEL - WORDS;
  const left = page.left + LABEL;
  drawLegend(page, legend);
  page.within('L', () => {
    for (const strip of strips) {
      page.room(STEP);
      const top = document.y;
      page.unread(() => {
        for (const { start, share, state } of strip.pieces) {
          // Short segments stay visible.
          const across = Math.max(0.4, share * width);
          const thin = state === 'offline' || state === 'unknown' ? HEIGHT / 2 : 0;
          document
            .rect(left + start * width, top + thin, across, HEIGHT - thin)
            .fill(pdfColors[state]);
        }
      });
      const style = { size: 'small' } as const;
      drawEntry(page, {
        label: () =>
          page.textAt(strip.label, { x: page.left, y: top - 1, width: LABEL - 6 }, style),
        body: () =>
          page.textAt(strip.words, { x: left + width + 6, y: top - 1, width: WORDS - 6 }, style),
      });
      document.y = top + STEP;
    }
  });
  const top = document.y;
  const style = { size: 'small', color: 'muted' } as const;
  page.tagged('P', () => {
    page.textAt(from, { x: left, y: top, width: width / 2 }, style);
    page.textAt(to, { x: left + width - 78, y: top, width: 90 }, style);
  });
  document.y = top + STEP;
}

function drawLegend(
  page: PdfPage,
  legend: readonly { readonly state: keyof typeof pdfColors; readonly words: string }[],
): void {
  const { document } = page;
  page.room(STEP * 3);
  const top = document.y;
  for (const [index, { state, words }] of legend.entries()) {
    const x = page.left + LABEL + index * 80;
    page.unread(() => document.rect(x, top + 1, 8, 8).fill(pdfColors[state]));
    page.tagged('P', () =>
      page.textAt(words, { x: x + 12, y: top - 1, width: 66 }, { size: 'small' }),
    );
  }
  document.y = top + STEP;
}
