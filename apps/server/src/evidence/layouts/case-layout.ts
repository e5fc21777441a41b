import { caseEntryWords } from '@deviceportal/contract/case-entry-words';
import type { CaseDetail, CaseEntry } from '@deviceportal/contract/cases';
import { eventWords } from '@deviceportal/contract/event-words';
import { durationWords, momentWords } from '@deviceportal/contract/moment-words';
import { personLabel } from '@deviceportal/contract/people';
import type { ReportBlock } from '@deviceportal/contract/report-blocks';
import type { ReportLanguage } from '@deviceportal/contract/reports';
import { caseOutcome, casePriority, caseState, statusDetails } from '@deviceportal/contract/states';
import { getCase } from '../../cases/get-case.ts';
import { readCaseEntries } from '../../cases/read-case-entries.ts';
import type { LayOutEvidence } from '../export-report.ts';
import { eventsSection } from './events-section.ts';
import { evidenceWords } from './evidence-words.ts';
import { factsBlock, frameOf, sectionOf, tableBlock } from './layout-parts.ts';

const SHOWN_OUTPUTS = 20;

/** A case with its entries, oldest first, and the results of its commands. */
export const caseLayout: LayOutEvidence = async (deps, viewer, { id, language }) => {
  const found = await getCase(deps, viewer, id);
  const { entries, isCut } = await readCaseEntries(deps, viewer, id);
  const words = evidenceWords(language);
  return frameOf({
    ...{ id, viewer, language, now: deps.clock() },
    title: words.titles.case(personLabel(found.person)),
    sections: [
      sectionOf('result', language, [caseFacts(found, language)]),
      sectionOf('entries', language, [
        ...(entries.length === 0 ? [{ kind: 'text', text: words.none.entries } as const] : []),
        ...(isCut ? [{ kind: 'text', text: words.newestEntries(entries.length) } as const] : []),
        ...entryRows(entries, language),
      ]),
      sectionOf('commands', language, commandBlocks(entries, language)),
      await eventsSection(deps, viewer, { kind: 'case', id, language }),
    ],
  });
};

function caseFacts(found: CaseDetail, language: ReportLanguage): ReportBlock {
  const { labels } = evidenceWords(language);
  return factsBlock([
    [labels.person, personLabel(found.person)],
    [labels.status, caseState[found.state][language]],
    [labels.outcome, found.outcome === null ? null : caseOutcome[found.outcome][language]],
    [labels.assignee, found.assignee?.name ?? null],
    [labels.priority, casePriority[found.priority][language]],
    [labels.queue, found.queue],
    [labels.due, found.dueAt === null ? null : momentWords(found.dueAt)],
    [labels.ticket, found.ticket],
    [labels.subject, found.about],
    [labels.opened, `${momentWords(found.openedAt)} · ${found.openedBy}`],
    [labels.closed, found.closedAt === null ? null : momentWords(found.closedAt)],
    [labels.duration, durationWords(found.openedAt, found.closedAt)],
    ...(found.outcomeText === '' ? [] : ([[labels.note, found.outcomeText]] as const)),
  ]);
}

function entryRows(entries: readonly CaseEntry[], language: ReportLanguage): ReportBlock[] {
  const { labels, sections } = evidenceWords(language);
  return tableBlock({
    label: sections.entries,
    headers: [labels.time, labels.entry, labels.by],
    widths: [2, 5, 2],
    rows: entries.map((entry) => [momentWords(entry.at), entryText(entry, language), entry.actor]),
  });
}

function entryText(entry: CaseEntry, language: ReportLanguage): string {
  const { kind, run, data, serialNumber, deviceName } = entry;
  const type = data['type'];
  const head =
    kind === 'act' && typeof type === 'string'
      ? eventWords(type, language)
      : caseEntryWords(kind, language);
  const result = run === null ? '' : `${run.command}: ${statusOf(run, language)}`;
  const said = typeof data['text'] === 'string' ? data['text'] : '';
  return [head, serialNumber ?? deviceName, result, said].filter(Boolean).join(' · ');
}

const statusOf = (
  { statusDetails: details }: NonNullable<CaseEntry['run']>,
  language: ReportLanguage,
): string => statusDetails[details][language];

/** The beginning of the output of each command on one device. */
function commandBlocks(entries: readonly CaseEntry[], language: ReportLanguage): ReportBlock[] {
  return entries
    .flatMap(({ run, at, serialNumber, deviceName }): ReportBlock[] => {
      if (run === null || run.output.trim() === '') return [];
      const device = serialNumber ?? deviceName ?? '';
      const title = [run.command, device, momentWords(at), statusOf(run, language)];
      return [{ kind: 'output', title: title.filter(Boolean).join(' · '), text: run.output }];
    })
    .slice(0, SHOWN_OUTPUTS);
}
