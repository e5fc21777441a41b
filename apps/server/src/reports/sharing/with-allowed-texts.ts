import { caseEntryWords } from '@deviceportal/contract/case-entry-words';
import type { CaseEntryKind } from '@deviceportal/contract/cases';
import { eventDetails } from '@deviceportal/contract/event-details';
import { hiddenWords } from '@deviceportal/contract/hidden-words';
import type {
  ReportCase,
  ReportFinding,
  UserReportDocument,
} from '@deviceportal/contract/user-report-document';
import { findingKey, labelIn, withoutSaid, type FreeTexts } from './free-texts.ts';
import { structuredData } from './structured-data.ts';

/** The report with only the free texts that the sender allowed. */
export function withAllowedTexts(
  report: UserReportDocument,
  { allowed }: FreeTexts,
): UserReportDocument {
  const hidden = hiddenWords[report.language];
  const nameOf = (deviceId: string): string =>
    allowed('device-name', deviceId) ?? labelIn(report, deviceId);
  const renamed = <Row extends { readonly deviceId: string }>(row: Row): Row => ({
    ...row,
    device: nameOf(row.deviceId),
  });
  return {
    ...report,
    devices: report.devices.map((device) => ({ ...device, name: nameOf(device.id) })),
    connectivity: report.connectivity.map(renamed),
    versions: report.versions.map(renamed),
    versionChanges: report.versionChanges.map(renamed),
    places: report.places.map(renamed),
    commands: report.commands.map((command) => ({
      ...renamed(command),
      lastLines: allowed('output', command.id) ?? (command.lastLines === '' ? '' : hidden),
    })),
    findings: report.findings.map((finding) => ({
      ...renamed(finding),
      facts: factsOf(finding, allowed('finding', findingKey(finding)), hidden),
    })),
    timeline: report.timeline.map((event) => {
      const data = structuredData(event.type, event.data);
      const text = allowed('event', event.id) ?? hiddenDetails(event.data, data, report.language);
      const device = event.deviceId === null ? null : nameOf(event.deviceId);
      return {
        ...event,
        device,
        actor: event.actorKind === 'device' ? (device ?? hidden) : event.actor,
        data: { ...data, ...(text === undefined ? {} : { text }) },
      };
    }),
    case: report.case === null ? null : caseOf(report.case, report, allowed),
  };
}

/** Whether a reader would see less of an event than its own users do. */
function hiddenDetails(
  whole: Readonly<Record<string, unknown>>,
  shown: Readonly<Record<string, unknown>>,
  language: UserReportDocument['language'],
): string | undefined {
  return eventDetails(whole, language) === eventDetails(shown, language)
    ? undefined
    : hiddenWords[language];
}

/** A fact is shown unchanged if its line is part of the allowed text. */
function factsOf(
  { facts }: ReportFinding,
  text: string | undefined,
  hidden: string,
): ReportFinding['facts'] {
  const lines = new Set(text?.split('\n'));
  const safe = structuredData('finding', facts);
  return Object.fromEntries(
    Object.entries(facts).map(([key, value]) => [
      key,
      key in safe || lines.has(`${key}: ${value ?? ''}`) ? value : hidden,
    ]),
  );
}

function caseOf(
  found: ReportCase,
  { language }: UserReportDocument,
  allowed: FreeTexts['allowed'],
): ReportCase {
  const hidden = hiddenWords[language];
  return {
    ...found,
    about: allowed('case-subject', found.id) ?? (found.about === '' ? '' : hidden),
    entries: found.entries.map((entry) => {
      const words = caseEntryWords(entry.kind as CaseEntryKind, language);
      const head = withoutSaid(entry) || words;
      const text = allowed('case-entry', entry.id) ?? (entry.said === '' ? undefined : hidden);
      const { id, at, actor, kind } = entry;
      return { id, at, actor, kind, text: text === undefined ? head : `${head} · ${text}` };
    }),
  };
}
