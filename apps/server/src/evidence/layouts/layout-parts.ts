import { momentWords } from '@deviceportal/contract/moment-words';
import type { ReportBlock, ReportSection } from '@deviceportal/contract/report-blocks';
import type { ReportLanguage } from '@deviceportal/contract/reports';
import { reportWords } from '@deviceportal/contract/report-words';
import type { Viewer } from '../../platform/viewer.ts';
import type { EvidenceLayout } from '../draw-in-thread.ts';
import { evidenceWords } from './evidence-words.ts';

interface FrameFacts {
  readonly title: string;
  readonly id: string;
  readonly viewer: Viewer;
  readonly now: Date;
  readonly language: ReportLanguage;
  readonly sections: readonly (ReportSection | null)[];
}

/** Title, creator, and reference around the sections that have content. */
export function frameOf(facts: FrameFacts): EvidenceLayout {
  const { title, id, viewer, now, language, sections } = facts;
  const words = evidenceWords(language);
  return {
    ...{ title, language },
    subtitle: [words.created(viewer.username, momentWords(now.toISOString())), words.reference(id)],
    sections: sections.filter((section) => section !== null),
    footer: `${reportWords(language).portal} · ${words.reference(id)}`,
  };
}

type SectionName = keyof ReturnType<typeof evidenceWords>['sections'];

/** Null without content. */
export function sectionOf(
  id: SectionName,
  language: ReportLanguage,
  blocks: readonly ReportBlock[],
): ReportSection | null {
  if (blocks.length === 0) return null;
  return { id, title: evidenceWords(language).sections[id], blocks };
}

const textOf = (value: string | number | null | undefined): string =>
  value === null || value === undefined || value === '' ? '-' : String(value);

/** A list of labels and values; those without a value are shown as such. */
export function factsBlock(
  facts: readonly (readonly [label: string, value: string | number | null | undefined])[],
): ReportBlock {
  return { kind: 'facts', facts: facts.map(([label, value]) => ({ label, value: textOf(value) })) };
}

export interface Table {
  readonly label: string;
  readonly headers: readonly string[];
  readonly widths: readonly number[];
  readonly rows: readonly (readonly (string | number | null | undefined)[])[];
}

/** No block without rows. */
export function tableBlock({ rows, ...table }: Table): ReportBlock[] {
  if (rows.length === 0) return [];
  const cells = rows.map((row) => row.map((value) => ({ text: textOf(value) })));
  return [{ kind: 'table', ...table, rows: cells }];
}

export function parametersSection(
  parameters: Readonly<Record<string, unknown>>,
  language: ReportLanguage,
): ReportSection | null {
  const { labels, sections } = evidenceWords(language);
  const rows = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return sectionOf(
    'parameters',
    language,
    tableBlock({
      ...{ label: sections.parameters, headers: [labels.name, labels.value], widths: [1, 3], rows },
    }),
  );
}
