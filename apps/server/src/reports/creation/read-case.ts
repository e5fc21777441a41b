import type { CaseEntry } from '@deviceportal/contract/cases';
import { caseEntryWords } from '@deviceportal/contract/case-entry-words';
import { holds } from '@deviceportal/contract/permissions';
import { statusDetails } from '@deviceportal/contract/states';
import type { ReportCase } from '@deviceportal/contract/user-report-document';
import { getCase } from '../../cases/get-case.ts';
import { readCaseEntries, REPORTED_ENTRIES } from '../../cases/read-case-entries.ts';
import { mayRead, type ReportCreation } from './report-creation.ts';

/** The actions in the case to which the report belongs, oldest first; null without a case. */
export async function readCase(creation: ReportCreation): Promise<ReportCase | null> {
  const { deps, viewer, report, gaps, sources } = creation;
  const { caseId } = report;
  if (caseId === null || !mayRead(creation, 'case', 'cases:read')) return null;
  const found = await getCase(deps, viewer, caseId);
  const { entries, isCut } = await readCaseEntries(deps, viewer, caseId);
  if (isCut) gaps.push({ code: 'too-many', facts: { what: 'entries', limit: REPORTED_ENTRIES } });
  sources.push({ name: 'case_entry', rows: entries.length });
  return {
    id: caseId,
    ticket: found.ticket,
    about: found.about,
    openedAt: found.openedAt,
    openedBy: found.openedBy,
    closedAt: found.closedAt,
    outcome: found.outcome,
    entries: entries.map((entry) => ({
      id: entry.id,
      at: entry.at,
      actor: entry.actor,
      kind: entry.kind,
      ...textOf(entry, creation),
    })),
  };
}

function textOf(
  entry: CaseEntry,
  { viewer, report: { language } }: ReportCreation,
): { readonly text: string; readonly said: string } {
  const { run, data, serialNumber, deviceName } = entry;
  const command =
    run !== null && holds(viewer.grants, 'commands:read')
      ? `${run.command}: ${statusDetails[run.statusDetails as keyof typeof statusDetails][language]}`
      : '';
  const words = typeof data['text'] === 'string' ? data['text'] : '';
  const said = joined([serialNumber === null ? deviceName : '', words]);
  return {
    text: joined([caseEntryWords(entry.kind, language), serialNumber, command, said]),
    said,
  };
}

const joined = (parts: readonly (string | null)[]): string => parts.filter(Boolean).join(' · ');
