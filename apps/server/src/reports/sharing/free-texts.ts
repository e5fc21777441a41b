import { createHash } from 'node:crypto';
import {
  SHARED_TEXTS_MAX,
  type SharedText,
  type SharedTextKind,
} from '@deviceportal/contract/reports';
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
import { SEARCHED_LENGTH, LONGEST_TEXT, type TextRedactor } from './text-redactor.ts';
import { withTimeout } from './with-timeout.ts';

/** 132 bits. */
const DIGEST_CHARACTERS = 22;

/** A text that takes longer is omitted. */
const TEXT_MS = 1_000;
/** When all texts together take longer, the remaining ones are omitted. */
const TEXTS_MS = 8_000;

/** A free text of a report before redaction, limited to the examined length. */
export interface FreeText extends Omit<SharedText, 'id'> {
  readonly recordId: string;
}

/** The texts of a report that can be shared, and their total number. */
export interface ShareableTexts {
  readonly texts: readonly FreeText[];
  readonly total: number;
}

/** Decides for every free text of a report whether the sender allowed it. */
export interface FreeTexts {
  /** The texts that were redacted in time. */
  readonly redacted: readonly SharedText[];
  /** The redacted text; undefined if it was not allowed. */
  readonly allowed: (kind: SharedTextKind, recordId: string) => string | undefined;
  readonly allowedCount: number;
}

/** Free texts of a report, written by people, devices, or programs: the first ones, each limited in length. */
export function shareableTexts(report: UserReportDocument): ShareableTexts {
  const texts: FreeText[] = [];
  let total = 0;
  for (const { text, ...free } of collect(report)) {
    total += 1;
    if (total > SHARED_TEXTS_MAX) continue;
    texts.push({
      ...free,
      text: text.slice(0, SEARCHED_LENGTH),
      isCut: text.length > LONGEST_TEXT,
    });
  }
  return { texts, total };
}

/** Redacts texts, each with its own time limit. */
export function redactTexts(
  texts: readonly FreeText[],
  redactor: TextRedactor,
  allowedIds: readonly string[],
): FreeTexts {
  const wanted = new Set(allowedIds);
  const redacted: SharedText[] = [];
  const allowed = new Map<string, string>();
  const end = performance.now() + TEXTS_MS;
  for (const { recordId, ...free } of texts) {
    const left = Math.min(TEXT_MS, Math.floor(end - performance.now()));
    const text = left > 0 ? withTimeout(left, () => redactor.text(free.text)) : undefined;
    if (text === undefined) continue;
    const key = `${free.kind}:${recordId}`;
    const id = createHash('sha256')
      .update(`${key}\n${text}`)
      .digest('base64url')
      .slice(0, DIGEST_CHARACTERS);
    redacted.push({ ...free, id, text });
    if (wanted.has(id)) allowed.set(key, text);
  }
  return {
    redacted,
    allowed: (kind, recordId) => allowed.get(`${kind}:${recordId}`),
    allowedCount: allowed.size,
  };
}

/** A finding has no id of its own. */
export const findingKey = ({ deviceId, code, since }: ReportFinding): string =>
  `${deviceId}.${code}.${since ?? ''}`;

type WholeText = Omit<FreeText, 'isCut'>;

function* collect(report: UserReportDocument): Generator<WholeText> {
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

function* eventTexts({ timeline, language }: UserReportDocument): Generator<WholeText> {
  for (const { id: recordId, type, at, data } of timeline) {
    const text = freeData(type, data);
    if (text === '') continue;
    yield { kind: 'event', recordId, title: eventWords(type, language), at, text };
  }
}

/** Reports of earlier releases do not store the free part of entries separately: the whole text counts as free. */
const saidIn = ({ said, text }: ReportCaseEntry): string => said ?? text;

/** The label of a device in a shared report if its name was not allowed. */
const labelOf = ({ id, serialNumber, model }: ReportDevice): string => serialNumber ?? model ?? id;

export function labelIn({ devices }: UserReportDocument, deviceId: string | null): string {
  const device = devices.find(({ id }) => id === deviceId);
  return device === undefined ? (deviceId ?? '') : labelOf(device);
}

/** An entry without its free text; empty if the two are not stored separately. */
export function withoutSaid({ said, text }: ReportCaseEntry): string {
  if (said === undefined) return '';
  if (said === '') return text;
  return text.endsWith(said) ? text.slice(0, -said.length).replace(/ · $/, '') : '';
}
