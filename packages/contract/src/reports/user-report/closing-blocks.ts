import type { MomentWords } from './moment-words.ts';
import { redactionSentences } from './redaction-sentences.ts';
import type { ReportBlock } from './report-blocks.ts';
import { reportWords } from './report-words.ts';
import type { UserReportDocument } from './user-report-document.ts';

/** The case that the report is about. */
export function caseBlocks(report: UserReportDocument, moment: MomentWords): ReportBlock[] {
  const words = reportWords(report.language);
  const { column } = words;
  const found = report.case;
  if (found === null) return [];
  const { outcome } = found;
  return [
    {
      kind: 'facts',
      facts: [
        { label: column.about, value: found.about || '-' },
        { label: column.ticket, value: found.ticket || '-' },
        { label: column.opened, value: `${moment(found.openedAt)} · ${found.openedBy}` },
        { label: column.closed, value: moment(found.closedAt) },
        {
          label: column.outcome,
          value: outcome === null ? '-' : (words.outcome[outcome] ?? outcome),
        },
      ],
    },
    {
      kind: 'table',
      label: words.sections.case,
      headers: [column.time, column.entry, column.by],
      widths: [2, 5, 2],
      rows: found.entries.map((entry) => [
        { text: moment(entry.at) },
        { text: entry.text },
        { text: entry.actor },
      ]),
    },
  ];
}

/** How the report was created, its sources, and its gaps. */
export function methodBlocks(report: UserReportDocument): ReportBlock[] {
  const words = reportWords(report.language);
  const blocks: ReportBlock[] = [{ kind: 'text', text: words.sourcesIntro }];
  const notes = [
    ...redactionSentences(report),
    ...report.gaps.map((gap) => words.gap[gap.code]?.(gap.facts) ?? gap.code),
  ];
  if (notes.length > 0) {
    blocks.push({
      kind: 'list',
      items: notes.map((text) => ({ tone: 'neutral', toneWord: '', text })),
    });
  }
  if (report.voice === 'plain') return blocks;
  blocks.push({
    kind: 'table',
    label: words.column.source,
    headers: [words.column.source, words.column.rows],
    widths: [4, 1],
    rows: report.sources.map(({ name, rows }) => [
      { text: words.sources[name] ?? name },
      { text: String(rows) },
    ]),
  });
  return blocks;
}
