import { createHash } from 'node:crypto';
import type { SharedText, SharedTextKind } from '@deviceportal/contract/reports';
import { caseEntryWords } from '@deviceportal/contract/case-entry-words';
import type { CaseEntryKind } from '@deviceportal/contract/cases';
import { eventWords } from '@deviceportal/contract/event-words';
import type {
  ReportCaseEntry,
  ReportDevice,
  ReportFinding,
  UserReportDocument,
} from '@deviceportal/contract/user-report-document';
import { freeData } from './structured-data.ts';
import type { Scrubber } from './scrub-text.ts';

/** 132 bits. */
const DIGEST_CHARACTERS = 22;

/** A free text of a report before it is scrubbed. */
interface FreeText extends Omit<SharedText, 'id' | 'text'> {
  readonly recordId: string;
  readonly text: string;
}

/** Decides for every free text of a report whether the sender allowed it. */
export interface FreeTexts {
  readonly all: readonly SharedText[];
  /** The text as a recipient reads it; undefined where it was not allowed. */
  readonly allowed: (kind: SharedTextKind, recordId: string) => string | undefined;
}

/** Everything in a report that people, devices or programs wrote as they liked. */
export function freeTextsOf(
  report: UserReportDocument,
  scrub: Scrubber,
  allowedIds: readonly string[],
): FreeTexts {
  const wanted = new Set(allowedIds);
  const all: SharedText[] = [];
  const allowed = new Map<string, string>();
  for (const { recordId, ...free } of collect(report)) {
    const text = scrub.text(free.text);
    const key = `${free.kind}:${recordId}`;
    const id = createHash('sha256')
      .update(`${key}\n${text}`)
      .digest('base64url')
      .slice(0, DIGEST_CHARACTERS);
    all.push({ ...free, id, text });
    if (wanted.has(id)) allowed.set(key, text);
  }
  return { all, allowed: (kind, recordId) => allowed.get(`${kind}:${recordId}`) };
}

/** A finding has no id of its own. */
export const findingKey = ({ deviceId, code, since }: ReportFinding): string =>
  `${deviceId}.${code}.${since ?? ''}`;

function* collect(report: UserReportDocument): Generator<FreeText> {
  const found = report.case;
  if (found !== null && found.about !== '') {
    const { id: recordId, about: text, openedAt: at } = found;
    yield { kind: 'case-subject', recordId, title: found.ticket ?? '', at, text };
  }
  for (const entry of found?.entries ?? []) {
    const text = saidIn(entry);
    if (text === '') continue;
    const title = caseEntryWords(entry.kind as CaseEntryKind, report.language);
    yield { kind: 'case-entry', recordId: entry.id, title, at: entry.at, text };
  }
  for (const device of report.devices) {
    const { id: recordId, name: text } = device;
    if (text === '' || text === labelOf(device)) continue;
    yield { kind: 'device-name', recordId, title: labelOf(device), at: null, text };
  }
  for (const {
    id: recordId,
    command,
    deviceId,
    queuedAt: at,
    lastLines: text,
  } of report.commands) {
    if (text === '') continue;
    yield {
      kind: 'output',
      recordId,
      title: `${command} · ${labelIn(report, deviceId)}`,
      at,
      text,
    };
  }
  for (const finding of report.findings) {
    const text = freeData('finding', finding.facts);
    if (text === '') continue;
    const title = `${finding.code} · ${labelIn(report, finding.deviceId)}`;
    yield { kind: 'finding', recordId: findingKey(finding), title, at: finding.since, text };
  }
  yield* eventTexts(report);
}

function* eventTexts({ timeline, language }: UserReportDocument): Generator<FreeText> {
  for (const { id: recordId, type, at, data } of timeline) {
    const text = freeData(type, data);
    if (text === '') continue;
    yield { kind: 'event', recordId, title: eventWords(type, language), at, text };
  }
}

/** Reports made before entries kept their free part apart: the whole text counts as free. */
const saidIn = ({ said, text }: ReportCaseEntry): string => said ?? text;

/** How a shared report calls a device whose name was not allowed. */
const labelOf = ({ id, serialNumber, model }: ReportDevice): string => serialNumber ?? model ?? id;

export function labelIn({ devices }: UserReportDocument, deviceId: string | null): string {
  const device = devices.find(({ id }) => id === deviceId);
  return device === undefined ? (deviceId ?? '') : labelOf(device);
}

/** An entry without what was said in it; empty for one that does not tell the two apart. */
export function withoutSaid({ said, text }: ReportCaseEntry): string {
  if (said === undefined) return '';
  if (said === '') return text;
  return text.endsWith(said) ? text.slice(0, -said.length).replace(/ · $/, '') : '';
}
