import type {
  ReportBlock,
  ReportLayout,
  ReportSection,
  ReportTable,
} from '@deviceportal/contract/report-blocks';
import { escapeHtml } from '../../messages/message-html.ts';
import { sharedStyle } from './shared-report-style.ts';

const downloadWords = (language: string): string =>
  language === 'zh-CN' ? '下载 PDF' : 'Download PDF';

/** A report as a standalone page for holders of the link. It contains no links to the portal. */
export function sharedReportPage(layout: ReportLayout, pdfUrl: string): string {
  const { language, title, subtitle, sections } = layout;
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${sharedStyle}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${subtitle.map((line) => `<p class="muted">${escapeHtml(line)}</p>`).join('')}
<p><a href="${escapeHtml(pdfUrl)}">${downloadWords(language)}</a></p>
${sections.map(sectionHtml).join('\n')}
</main></body>
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
      return `<p class="muted">${escapeHtml(block.text)}</p>`;
    case 'facts':
      return `<dl>${block.facts.map(({ label, value }) => `<div><dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd></div>`).join('')}</dl>`;
    case 'list':
      return `<ul>${block.items.map(({ toneWord, text }) => `<li>${toneWord === '' ? '' : `<span class="tone">${escapeHtml(toneWord)}</span> `}${escapeHtml(text)}</li>`).join('')}</ul>`;
    case 'table':
      return tableHtml(block);
    case 'output':
      return `<figure><figcaption>${escapeHtml(block.title)}</figcaption><pre>${escapeHtml(block.text)}</pre></figure>`;
    case 'strips':
      return stripsHtml(block);
    case 'map':
      return mapHtml(block);
  }
}

function tableHtml({ label, headers, rows }: ReportTable): string {
  const head = headers.map((header) => `<th scope="col">${escapeHtml(header)}</th>`).join('');
  const body = rows
    .map((cells) => `<tr>${cells.map(({ text }) => `<td>${escapeHtml(text)}</td>`).join('')}</tr>`)
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
        `<span><svg viewBox="0 0 1 1" aria-hidden="true"><rect class="${state}" width="1" height="1"/></svg>${escapeHtml(words)}</span>`,
    )
    .join('');
  const lines = strips.map(({ label, words, pieces }) => {
    const bars = pieces.map(({ start, share, state }) => {
      const thin = state === 'offline' || state === 'unknown' ? 10 : 0;
      return `<rect class="${state}" x="${start * 1_000}" y="${thin}" width="${Math.max(1.5, share * 1_000)}" height="${20 - thin}"/>`;
    });
    return `<li class="strip"><span>${escapeHtml(label)}</span><svg viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true">${bars.join('')}</svg><span>${escapeHtml(words)}</span></li>`;
  });
  return `<div class="legend">${key}</div><ul>${lines.join('')}</ul><p class="muted">${escapeHtml(`${from} – ${to}`)}</p>`;
}

function mapHtml({ map, words }: Extract<ReportBlock, { readonly kind: 'map' }>): string {
  const dots = map.points.map(({ x, y }) => `<circle class="dot" cx="${x}" cy="${y}" r="4"/>`);
  return `<figure class="map"><svg viewBox="0 0 ${map.width} ${map.height}" role="img" aria-label="${escapeHtml(words)}"><path class="land" d="${escapeHtml(map.land)}"/>${dots.join('')}</svg><figcaption>${escapeHtml(words)}</figcaption></figure>`;
}
