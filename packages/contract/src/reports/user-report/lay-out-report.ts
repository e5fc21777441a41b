import type { ReportBlock, ReportLayout, ReportSection } from './report-blocks.ts';
import { commandBlocks } from './command-blocks.ts';
import { caseBlocks, methodBlocks } from './closing-blocks.ts';
import { connectivityBlocks, deviceBlocks, versionBlocks } from './device-blocks.ts';
import { accountBlocks, findingBlocks } from './leading-blocks.ts';
import { personLabel } from '../../people/people.ts';
import { hiddenWords } from './hidden-words.ts';
import { momentWords, type MomentWords } from './moment-words.ts';
import { placeBlocks } from './place-blocks.ts';
import { reportWords } from './report-words.ts';
import { reportSectionIds, type ReportSectionId } from './report-vocabulary.ts';
import { timelineBlocks } from './timeline-blocks.ts';
import type { UserReportDocument } from './user-report-document.ts';

const blocksOf: Readonly<
  Record<ReportSectionId, (report: UserReportDocument, moment: MomentWords) => ReportBlock[]>
> = {
  findings: findingBlocks,
  account: accountBlocks,
  devices: deviceBlocks,
  connectivity: connectivityBlocks,
  case: caseBlocks,
  commands: commandBlocks,
  timeline: timelineBlocks,
  versions: versionBlocks,
  locations: placeBlocks,
  method: methodBlocks,
};

/** Sections without value for customers: records and identifiers. */
const notPlain: ReadonlySet<ReportSectionId> = new Set(['account', 'timeline']);

export interface LayoutOptions {
  /** How times are shown; by default in UTC. */
  readonly moment?: MomentWords;
}

/**
 * Lays out a report in its language and style, as sections of blocks for the page, the PDF, and the
 * shared page.
 */
export function layOutReport(
  report: UserReportDocument,
  { moment = momentWords }: LayoutOptions = {},
): ReportLayout {
  const words = reportWords(report.language);
  const isPlain = report.voice === 'plain';
  const wanted = reportSectionIds.filter(
    (id) =>
      (id === 'findings' || id === 'method' || report.parts.includes(id)) &&
      !(isPlain && notPlain.has(id)),
  );
  const sections = wanted.flatMap((id): ReportSection[] => {
    const blocks = blocksOf[id](report, moment);
    if (blocks.length === 0) return [];
    return [{ id, title: (isPlain && words.plainSections[id]) || words.sections[id], blocks }];
  });
  return {
    language: report.language,
    title: words.about(subjectLabel(report)),
    subtitle: [
      words.period(moment(report.from), moment(report.to)),
      words.made(report.createdBy, moment(report.createdAt)),
      words.reference(report.id),
    ],
    sections,
    portal: words.portal,
    footer: `${words.portal} · ${words.reference(report.id)}`,
    utcWords: words.utc,
    zoneWords: words.zone,
    downloadWords: words.downloadPdf,
    pageWords: words.page,
  };
}

/** The name with a second fact, unless the sender of a shared copy has hidden it. */
function subjectLabel({ subject: { name, email, phone }, language }: UserReportDocument): string {
  const shown = (fact: string | null): string | null =>
    fact === hiddenWords[language] ? null : fact;
  return personLabel({ name, email: shown(email), phone: shown(phone) });
}
