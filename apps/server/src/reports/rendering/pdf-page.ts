import PDFDocument from 'pdfkit';
import type { ReportPaper } from '@deviceportal/contract/reports';
import { pdfColors, type PdfColor } from './pdf-colors.ts';
import type { FontWeight, ReportFonts } from './report-fonts.ts';

const MARGIN = 42;
const FOOTER = 24;
const SIZES = { body: 8.5, small: 7.5, title: 16, heading: 11.5 } as const;

/** Attributes of a tag: alternative text of a figure, its bounding box, the scope of a header cell. */
export interface TagFacts {
  readonly alt?: string;
  /** Left, top, right, bottom. */
  readonly bbox?: [number, number, number, number];
  readonly placement?: 'Block';
  readonly scope?: 'Column' | 'Row';
}

export interface TextStyle {
  readonly size?: keyof typeof SIZES;
  readonly weight?: FontWeight;
  readonly color?: PdfColor;
}

/** Position on the page, and drawing operations. A line that does not fit starts the next page. */
export interface PdfPage {
  readonly document: PDFKit.PDFDocument;
  readonly left: number;
  readonly width: number;
  /** Content drawn inside is one structure element of this type (PDF/UA). */
  tagged(tag: string, draw: () => void, facts?: TagFacts): void;
  /** A structure element that consists of the elements tagged inside: rows of cells, lists of entries. */
  within(tag: string, draw: () => void): void;
  /** Decoration and repeated content: marked as an artifact, which screen readers skip. */
  unread(draw: () => void): void;
  heading(level: 1 | 2, text: string): void;
  paragraph(text: string, style?: TextStyle): void;
  heightOf(text: string, width: number, style?: TextStyle): number;
  textAt(text: string, at: { x: number; y: number; width: number }, style?: TextStyle): void;
  /** Reserves a height; true if a new page was started for it. */
  room(height: number): boolean;
  end(pageWords: (page: number, pages: number) => string): void;
}

interface PdfOptions {
  readonly paper: ReportPaper;
  readonly title: string;
  readonly language: string;
}

/** ISO 14289-1, which the types of the library do not include yet. */
const readable: object = { subset: 'PDF/UA' };

export function openPdf(fonts: ReportFonts, options: PdfOptions): PdfPage {
  const document = newDocument(fonts, options);
  const structure = document.struct('Document');
  document.addStructure(structure);
  const open: PDFKit.PDFStructureElement[] = [structure];
  const add = (element: PDFKit.PDFStructureElement): void => void open.at(-1)?.add(element);
  const left = MARGIN;
  const width = document.page.width - 2 * MARGIN;
  const use = ({ size = 'body', weight = 400, color = 'text' }: TextStyle = {}): FontWeight => {
    document.font(`chinese-simplified ${weight}`).fontSize(SIZES[size]);
    document.fillColor(pdfColors[color]);
    return weight;
  };
  const page: PdfPage = {
    document,
    left,
    width,
    tagged(tag, draw, facts = {}) {
      add(document.struct(tag, facts, [draw]));
    },
    within(tag, draw) {
      const element = document.struct(tag);
      add(element);
      open.push(element);
      draw();
      open.pop();
      element.end();
    },
    unread(draw) {
      document.markContent('Artifact', { type: 'Layout' });
      draw();
      document.endMarkedContent();
    },
    heading(level, text) {
      page.room(level === 1 ? 40 : 60);
      if (level === 2) document.y += 12;
      document.outline.addItem(text);
      const style = { size: level === 1 ? 'title' : 'heading', weight: 700 } as const;
      page.tagged(`H${level}`, () => page.textAt(text, { x: left, y: document.y, width }, style));
      document.y += 4;
    },
    paragraph(text, style) {
      page.room(page.heightOf(text, width, style));
      page.tagged('P', () => page.textAt(text, { x: left, y: document.y, width }, style));
      document.y += 2;
    },
    heightOf(text, across, style) {
      use(style);
      return document.heightOfString(text, { width: across });
    },
    textAt(text, { x, y, width: across }, style) {
      const weight = use(style);
      const runs = fonts.runsOf(text === '' ? ' ' : text);
      for (const [index, run] of runs.entries()) {
        document.font(`${run.family} ${weight}`);
        const continued = index < runs.length - 1;
        if (index === 0) document.text(run.text, x, y, { width: across, continued });
        else document.text(run.text, { continued });
      }
    },
    room(height) {
      if (document.y + height <= document.page.height - MARGIN - FOOTER) return false;
      document.addPage();
      return true;
    },
    end(pageWords) {
      structure.end();
      drawFooters(document, { pageWords, use });
      document.end();
    },
  };
  return page;
}

function newDocument(
  fonts: ReportFonts,
  { paper, title, language }: PdfOptions,
): PDFKit.PDFDocument {
  const document = new PDFDocument({
    size: paper === 'a4' ? 'A4' : 'LETTER',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN + FOOTER },
    bufferPages: true,
    ...readable,
    tagged: true,
    displayTitle: true,
    pdfVersion: '1.7',
    lang: language,
    info: { Title: title, Creator: 'Device Portal', Producer: 'Device Portal' },
  });
  for (const { family, weight, content } of fonts.all) {
    document.registerFont(`${family} ${weight}`, content);
  }
  return document;
}

interface FooterOptions {
  readonly pageWords: (page: number, pages: number) => string;
  readonly use: (style: TextStyle) => unknown;
}

/** Report name and page numbers on every page, marked as artifacts. */
function drawFooters(document: PDFKit.PDFDocument, { pageWords, use }: FooterOptions): void {
  const { start, count } = document.bufferedPageRange();
  for (let index = start; index < start + count; index += 1) {
    document.switchToPage(index);
    const { width, height, margins } = document.page;
    margins.bottom = 0;
    use({ size: 'small', color: 'muted' });
    document.markContent('Artifact', { type: 'Pagination', attached: ['Bottom'] });
    document.text(pageWords(index - start + 1, count), MARGIN, height - MARGIN, {
      width: width - 2 * MARGIN,
      align: 'right',
      lineBreak: false,
    });
    document.endMarkedContent();
  }
}
