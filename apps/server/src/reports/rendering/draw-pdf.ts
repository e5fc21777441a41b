import { buffer } from 'node:stream/consumers';
import type { ReportLayout } from '@deviceportal/contract/report-blocks';
import type { ReportPaper } from '@deviceportal/contract/reports';
import { drawBlock } from './draw-block.ts';
import { leadHeight } from './lead-height.ts';
import { openPdf } from './pdf-page.ts';
import { loadReportFonts } from './report-fonts.ts';

/** The report as PDF: tagged, with an outline, embedded fonts, repeated table headers, and page numbers. */
export async function drawPdf(layout: ReportLayout, paper: ReportPaper): Promise<Uint8Array> {
  const page = openPdf(loadReportFonts(), {
    paper,
    title: layout.title,
    language: layout.language,
  });
  const content = buffer(page.document);
  page.heading(1, layout.title);
  for (const line of [...layout.subtitle, layout.utcWords]) {
    page.paragraph(line, { color: 'muted' });
  }
  for (const section of layout.sections) {
    page.within('Sect', () => {
      page.heading(2, section.title, leadHeight(page, section.blocks[0]));
      for (const block of section.blocks) drawBlock(page, block);
    });
  }
  page.end(layout);
  return content;
}
