import type {
  ReportBlock,
  ReportLayout,
  ReportListItem,
  ReportSection,
  ReportTable,
} from '@deviceportal/contract/report-blocks';
import { escapeHtml } from '../../messages/message-html.ts';
import { sharedScript } from './shared-report-script.ts';
import { sharedStyle } from './shared-report-style.ts';
import { textHtml } from './shared-report-text.ts';

/** The icon of the portal. */
const icon =
  '<svg class="icon" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#006ce0"/><rect x="7" y="8" width="18" height="12" rx="2" fill="none" stroke="#fff" stroke-width="2.4"/><path d="M11 25h10M16 20v5" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/><circle cx="16" cy="14" r="2.6" fill="#7fe3a1"/></svg>';

/** Diagonal lines for time without data, also recognizable without colors. */
const gapPattern =
  '<svg class="defs" aria-hidden="true"><defs><pattern id="gap" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="gap-back" width="6" height="6"/><rect class="gap-line" width="2" height="6"/></pattern></defs></svg>';

/** A report as a standalone page for holders of the link. It contains no links to the portal. */
export function sharedReportPage(layout: ReportLayout, pdfUrl: string): string {
  const { language, title, subtitle, sections, portal } = layout;
  const zone = escapeHtml(layout.zoneWords('{zone}'));
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)} · ${escapeHtml(portal)}</title><style>${sharedStyle}</style></head>
<body>${gapPattern}
<header><div class="bar"><span class="brand">${icon}${escapeHtml(portal)}</span><a class="button" href="${escapeHtml(pdfUrl)}" download>${escapeHtml(layout.downloadWords)}</a></div></header>
<main><h1>${escapeHtml(title)}</h1>
<div class="about">${subtitle.map((line) => `<p>${textHtml(line)}</p>`).join('')}<p data-zone="${zone}">${escapeHtml(layout.utcWords)}</p></div>
${sections.map(sectionHtml).join('\n')}
</main>
<script>${sharedScript}</script></body>
</html>
`;
}

function sectionHtml({ id, title, blocks }: ReportSection): string {
  const name = `section-${id}`;
  return `<section aria-labelledby="${name}"><h2 id="${name}">${escapeHtml(title)}</h2>${blocks.map(blockHtml).join('')}</section>`;
}

function blockHtml(block: ReportBlock): string {
  switch (block.kind) {
    case 'text':
      return `<p class="muted">${textHtml(block.text)}</p>`;
    case 'facts':
      return `<dl>${block.facts.map(({ label, value }) => `<div><dt>${escapeHtml(label)}</dt><dd>${textHtml(value)}</dd></div>`).join('')}</dl>`;
    case 'list':
      return `<ul class="list">${block.items.map(itemHtml).join('')}</ul>`;
    case 'table':
      return tableHtml(block);
    case 'output':
      return `<figure><figcaption>${textHtml(block.title)}</figcaption><pre>${textHtml(block.text)}</pre></figure>`;
    case 'strips':
      return stripsHtml(block);
    case 'map':
      return mapHtml(block);
  }
}

/** Shapes differ, so that severity is not conveyed only by color. */
const toneShapes = {
  error: '<circle cx="8" cy="8" r="7"/><path d="M5.5 5.5l5 5M10.5 5.5l-5 5"/>',
  warning: '<path d="M8 1.5 15 14.5H1Z"/><path d="M8 6v4M8 12v.6"/>',
  success: '<circle cx="8" cy="8" r="7"/><path d="M4.8 8.3 7 10.5l4.2-4.6"/>',
} as const;

function itemHtml({ tone, toneWord, text }: ReportListItem): string {
  if (tone === 'neutral') return `<li>${textHtml(text)}</li>`;
  const shape = `<svg viewBox="0 0 16 16" aria-hidden="true">${toneShapes[tone]}</svg>`;
  return `<li class="found"><span class="tone ${tone}">${shape}${escapeHtml(toneWord)}</span><span>${textHtml(text)}</span></li>`;
}

function tableHtml({ label, headers, rows }: ReportTable): string {
  const head = headers.map((header) => `<th scope="col">${escapeHtml(header)}</th>`).join('');
  const body = rows
    .map((cells) => `<tr>${cells.map(({ text }) => `<td>${textHtml(text)}</td>`).join('')}</tr>`)
    .join('');
  return `<div class="wide" role="region" tabindex="0" aria-label="${escapeHtml(label)}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function stripsHtml({
  strips,
  legend,
  from,
  to,
}: Extract<ReportBlock, { readonly kind: 'strips' }>): string {
  const key = legend
    .map(
      ({ state, words }) =>
        `<span><svg viewBox="0 0 12 12" aria-hidden="true">${barHtml(state, { x: 0, width: 12, height: 12 })}</svg>${escapeHtml(words)}</span>`,
    )
    .join('');
  const lines = strips.map(({ label, words, pieces }) => {
    const bars = pieces.map(({ start, share, state }) =>
      barHtml(state, { x: start * 1_000, width: Math.max(1.5, share * 1_000), height: 20 }),
    );
    return `<li><span>${textHtml(label)}</span><svg viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true">${bars.join('')}</svg><span>${escapeHtml(words)}</span></li>`;
  });
  return `<div class="legend">${key}</div><ul class="strips">${lines.join('')}<li class="span" aria-hidden="true"><span></span><span>${textHtml(from)}</span><span>${textHtml(to)}</span></li></ul>`;
}

/** Offline is half as high as the other states. */
function barHtml(
  state: string,
  { x, width, height }: { readonly x: number; readonly width: number; readonly height: number },
): string {
  const top = state === 'offline' ? height / 2 : 0;
  return `<rect class="${state}" x="${x}" y="${top}" width="${width}" height="${height - top}"/>`;
}

function mapHtml({ map, words }: Extract<ReportBlock, { readonly kind: 'map' }>): string {
  const areas = map.points.map(({ x, y, reach }) =>
    reach === undefined ? '' : `<circle class="reach" cx="${x}" cy="${y}" r="${reach}"/>`,
  );
  const dots = map.points.map(({ x, y }) => `<circle class="dot" cx="${x}" cy="${y}" r="4"/>`);
  return `<figure class="map"><svg viewBox="0 0 ${map.width} ${map.height}" role="img" aria-label="${escapeHtml(words)}"><path class="land" d="${escapeHtml(map.land)}"/>${areas.join('')}${dots.join('')}</svg><figcaption>${escapeHtml(words)}</figcaption></figure>`;
}
