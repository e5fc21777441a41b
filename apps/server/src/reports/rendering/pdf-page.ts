import PDFDocument from 'pdfkit';
import type { ReportPaper } from '@deviceportal/contract/reports';
import { pdfColors, type PdfColor } from './pdf-colors.ts';
import type { FontWeight, ReportFonts } from './report-fonts.ts';

const MARGIN = 42;
const HEADER = 26;
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
  /** @param keep height of what must be on the same page as the heading */
  heading(level: 1 | 2, text: string, keep?: number): void;
  paragraph(text: string, style?: TextStyle): void;
  heightOf(text: string, width: number, style?: TextStyle): number;
  widthOf(text: string, style?: TextStyle): number;
  /** Height of an empty page. */
  readonly capacity: number;
  textAt(text: string, at: { x: number; y: number; width: number }, style?: TextStyle): void;
  /** Reserves a height; true if a new page was started for it. */
  room(height: number): boolean;
  end(words: PageWords): void;
}

/** What is repeated on every page. */
export interface PageWords {
  readonly portal: string;
  readonly title: string;
  readonly footer: string;
  readonly pageWords: (page: number, pages: number) => string;
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
    heading(level, text, keep = 0) {
      page.room(40 + keep);
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
    widthOf(text, style) {
      use(style);
      return document.widthOfString(text);
    },
    capacity: document.page.height - 2 * MARGIN - HEADER - FOOTER,
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
    end(words) {
      structure.end();
      drawPageMargins(page, words);
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
    margins: { top: MARGIN + HEADER, left: MARGIN, right: MARGIN, bottom: MARGIN + FOOTER },
    bufferPages: true,
    ...readable,
    tagged: true,
    displayTitle: true,
    pdfVersion: '1.7',
    lang: language,
    info: { Title: title, Creator: 'Device Portal', Producer: 'Device Portal' },
  });
  // As a text, no list of the glyphs of a font is written: it is optional, and the library omits the parts of accented
  // letters in it (rule 7.21.4.2-2 of veraPDF).
  Object.assign(document, { subset: '1' });
  for (const { family, weight, content } of fonts.all) {
    document.registerFont(`${family} ${weight}`, content);
  }
  return document;
}

const SMALL_PRINT = { size: 'small', color: 'muted' } as const;
const GAP = 12;

/** Brand and title above, report and page number below every page, marked as artifacts. */
function drawPageMargins(page: PdfPage, words: PageWords): void {
  const { document, left, width } = page;
  const { start, count } = document.bufferedPageRange();
  for (let index = start; index < start + count; index += 1) {
    document.switchToPage(index);
    document.page.margins = { ...document.page.margins, top: 0, bottom: 0 };
    const bottom = document.page.height - MARGIN;
    const sides = { left, right: left + width };
    document.markContent('Artifact', { type: 'Pagination', attached: ['Top'] });
    drawIcon(document, left, MARGIN - 14);
    drawLine(page, { left: left + 18, right: sides.right, y: MARGIN - 12 }, [
      words.portal,
      words.title,
    ]);
    document.moveTo(left, MARGIN + 6).lineTo(sides.right, MARGIN + 6);
    document.lineWidth(0.5).stroke(pdfColors.line);
    document.endMarkedContent();
    document.markContent('Artifact', { type: 'Pagination', attached: ['Bottom'] });
    drawLine(page, { ...sides, y: bottom }, [
      words.footer,
      words.pageWords(index - start + 1, count),
    ]);
    document.endMarkedContent();
  }
}

/** Two texts at the ends of a line; the longer one is shortened. */
function drawLine(
  page: PdfPage,
  { left, right, y }: { readonly left: number; readonly right: number; readonly y: number },
  [first, last]: readonly [string, string],
): void {
  const most = right - left - GAP;
  const ofFirst = Math.min(page.widthOf(first, SMALL_PRINT), most / 2);
  const shown = fitted(page, last, most - ofFirst);
  page.textAt(fitted(page, first, ofFirst + 1), { x: left, y, width: ofFirst + 2 }, SMALL_PRINT);
  const width = page.widthOf(shown, SMALL_PRINT) + 2;
  page.textAt(shown, { x: right - width, y, width }, SMALL_PRINT);
}

function fitted(page: PdfPage, text: string, width: number): string {
  let shown = text;
  while (shown.length > 1 && page.widthOf(shown, SMALL_PRINT) > width) {
    shown = `${[...shown.replace(/…$/, '')].slice(0, -1).join('')}…`;
  }
  return shown;
}

/** The icon of the portal: a screen with a status light. */
function drawIcon(document: PDFKit.PDFDocument, x: number, y: number): void {
  document.save().translate(x, y).scale(0.42);
  document.roundedRect(0, 0, 32, 32, 8).fill('#006ce0');
  document.lineWidth(2.4).roundedRect(7, 8, 18, 12, 2).stroke('#ffffff');
  document.moveTo(11, 25).lineTo(21, 25).moveTo(16, 20).lineTo(16, 25).stroke('#ffffff');
  document.circle(16, 14, 2.6).fill('#7fe3a1');
  document.restore();
}
