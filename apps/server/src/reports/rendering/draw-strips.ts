import type { ReportBlock } from '@deviceportal/contract/report-blocks';
import { drawEntry } from './draw-entry.ts';
import type { StripState } from '@deviceportal/contract/user-report-document';
import { pdfColors } from './pdf-colors.ts';
import type { PdfPage } from './pdf-page.ts';

const LABEL = 110;
const WORDS = 170;
const HEIGHT = 9;
const STEP = 15;

type StripsBlock = Extract<ReportBlock, { readonly kind: 'strips' }>;
const SMALL = { size: 'small' } as const;

/** A bar for each device over the time range, with the same data as text next to it. */
export function drawStrips(page: PdfPage, { strips, legend, from, to }: StripsBlock): void {
  const { document } = page;
  const width = page.width - LABEL - WORDS;
  const left = page.left + LABEL;
  drawLegend(page, legend);
  page.within('L', () => {
    for (const [index, { label, words, pieces }] of strips.entries()) {
      const height = Math.max(
        page.heightOf(label, LABEL - 6, SMALL),
        page.heightOf(words, WORDS - 8, SMALL),
      );
      // The axis stays with the last one.
      page.room(height + 5 + (index === strips.length - 1 ? STEP : 0));
      const top = document.y;
      page.unread(() => {
        for (const { start, share, state } of pieces) {
          // Short segments stay visible.
          const across = Math.max(0.5, share * width);
          drawPiece(page, state, { x: left + start * width, y: top, width: across });
        }
      });
      drawEntry(page, {
        label: () => page.textAt(label, { x: page.left, y: top - 1, width: LABEL - 6 }, SMALL),
        body: () =>
          page.textAt(words, { x: left + width + 8, y: top - 1, width: WORDS - 8 }, SMALL),
      });
      document.y = top + height + 5;
    }
  });
  drawAxis(page, { left, width, from, to });
}

function drawAxis(
  page: PdfPage,
  { left, width, from, to }: Pick<StripsBlock, 'from' | 'to'> & Record<'left' | 'width', number>,
): void {
  const { document } = page;
  const style = { size: 'small', color: 'muted' } as const;
  const top = document.y;
  const ofTo = page.widthOf(to, style) + 2;
  page.tagged('P', () => {
    page.textAt(from, { x: left, y: top, width: width / 2 }, style);
    page.textAt(to, { x: left + width - ofTo, y: top, width: ofTo }, style);
  });
  document.y = top + STEP;
}

/** Offline is half as high, and time without data is hatched: recognizable without colors. */
function drawPiece(
  { document }: PdfPage,
  state: StripState,
  { x, y, width }: Record<'x' | 'y' | 'width', number>,
): void {
  if (state !== 'unknown') {
    const thin = state === 'offline' ? HEIGHT / 2 : 0;
    document.rect(x, y + thin, width, HEIGHT - thin).fill(pdfColors[state]);
    return;
  }
  document.save();
  document.rect(x, y, width, HEIGHT).clip();
  document.lineWidth(0.6);
  for (let at = x - HEIGHT; at < x + width; at += 4) {
    document.moveTo(at, y + HEIGHT).lineTo(at + HEIGHT, y);
  }
  document.stroke(pdfColors.gap);
  document.restore();
}

function drawLegend(page: PdfPage, legend: StripsBlock['legend']): void {
  const { document } = page;
  page.room(STEP * 3);
  const top = document.y;
  for (const [index, { state, words }] of legend.entries()) {
    const x = page.left + LABEL + index * 80;
    page.unread(() => drawPiece(page, state, { x, y: top, width: HEIGHT }));
    page.tagged('P', () => page.textAt(words, { x: x + 13, y: top - 1, width: 66 }, SMALL));
  }
  document.y = top + STEP;
}
