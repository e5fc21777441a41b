import type { ReportBlock } from '@deviceportal/contract/report-blocks';
import { pdfColors } from './pdf-colors.ts';
import type { PdfPage } from './pdf-page.ts';

type MapBlock = Extract<ReportBlock, { readonly kind: 'map' }>;

const scaleOf = (page: PdfPage, { map }: MapBlock): number => Math.min(1, page.width / map.width);

/** Of the map with its caption. */
export const mapHeight = (page: PdfPage, block: MapBlock): number =>
  page.heightOf(block.words, page.width) + block.map.height * scaleOf(page, block) + 14;

/** Land, and a dot for each device; the table below contains the same data. */
export function drawMap(page: PdfPage, block: MapBlock): void {
  const { document } = page;
  const { words, map } = block;
  const scale = scaleOf(page, block);
  page.room(mapHeight(page, block));
  page.paragraph(words);
  const top = document.y + 2;
  const [right, bottom] = [page.left + map.width * scale, top + map.height * scale];
  page.tagged('Figure', () => drawLand(page, { map, scale, top }), {
    alt: words,
    bbox: [page.left, top, right, bottom],
    placement: 'Block',
  });
  document.y = bottom + 6;
}

function drawLand(
  { document, left }: PdfPage,
  { map, scale, top }: Pick<MapBlock, 'map'> & { readonly scale: number; readonly top: number },
): void {
  document.save();
  document.translate(left, top).scale(scale);
  document.rect(0, 0, map.width, map.height).clip();
  document.rect(0, 0, map.width, map.height).fill(pdfColors.sea);
  if (map.land !== '') document.path(map.land).fill(pdfColors.land);
  for (const { x, y, reach } of map.points) {
    if (reach !== undefined) document.circle(x, y, reach).fillOpacity(0.15).fill(pdfColors.online);
    document.fillOpacity(1);
    document.circle(x, y, 3.5).fillAndStroke(pdfColors.online, '#ffffff');
  }
  document.restore();
}
