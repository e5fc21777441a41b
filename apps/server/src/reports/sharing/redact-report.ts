import { hiddenInText, hiddenWords } from '@deviceportal/contract/hidden-words';
import type { Redaction, SharePreview } from '@deviceportal/contract/reports';
import type {
  AppliedRedaction,
  ReportGap,
  ReportPlace,
  UserReportDocument,
} from '@deviceportal/contract/user-report-document';
import { drawReportMap } from '../creation/draw-report-map.ts';
import { redactTexts, type ShareableTexts } from './free-texts.ts';
import type { PeopleInTexts } from './people-in-text.ts';
import { withAllowedTexts } from './with-allowed-texts.ts';
import { createTextRedactor, type TextRedactor } from './text-redactor.ts';

export interface ReportToRedact {
  readonly report: UserReportDocument;
  readonly redaction: Redaction;
  readonly shareable: ShareableTexts;
  readonly people: PeopleInTexts;
}

/**
 * The report for a recipient. Secrets are always hidden, other data by the sender's choices. Hidden data is hidden
 * everywhere: in its own columns and in every text.
 */
export function redactReport({
  report,
  redaction,
  shareable,
  people,
}: ReportToRedact): SharePreview {
  const redactor = createTextRedactor({
    names: redaction.otherPeople ? [...people.names, ...actorsOf(report)] : [],
    contacts: redaction.contact ? contactsOf(report) : [],
    keptContacts: redaction.contact ? [] : contactsOf(report),
    otherPeople: redaction.otherPeople,
    networks: redaction.networks,
    places: redaction.place !== 'as-is',
    countries: countriesOf(report),
    mark: hiddenInText(report.language),
  });
  const free = redactTexts(people.searched, redactor, redaction.allowedTexts);
  const hidden = hiddenWords[report.language];
  const chosen = withChoices(withAllowedTexts(report, free), redaction);
  const shown = redacted(chosen, { redactor, hidden });
  const { subject } = report;
  return {
    // Another person may have a part of the same name.
    report: {
      ...shown,
      subject: { ...shown.subject, name: subject.name },
      redaction: appliedOf(redaction, { total: shareable.total, shown: free.allowedCount }),
    },
    texts: free.redacted,
    textsTotal: shareable.total,
    textsLeftOut: shareable.texts.length - free.redacted.length,
  };
}

function appliedOf(
  { otherPeople, contact, networks, place }: Redaction,
  freeTexts: AppliedRedaction['freeTexts'],
): AppliedRedaction {
  return { otherPeople, contact, networks, place, freeTexts };
}

/** Without the data that the sender chose to hide. What was never known stays empty. */
function withChoices(report: UserReportDocument, redaction: Redaction): UserReportDocument {
  const places = placesFor(report.places, redaction);
  const { subject, timeline } = report;
  const hidden = hiddenWords[report.language];
  const hide = (value: string | null): string | null => (value === null ? null : hidden);
  return {
    ...report,
    gaps: gapsFor(report.gaps, places, redaction),
    subject: redaction.contact
      ? {
          ...subject,
          username: hide(subject.username),
          email: hide(subject.email),
          phone: hide(subject.phone),
        }
      : subject,
    devices: redaction.networks
      ? report.devices.map((device) => ({ ...device, ipAddress: hide(device.ipAddress) }))
      : report.devices,
    commands: report.commands.map((command) => ({
      ...command,
      createdBy: redaction.otherPeople ? hidden : command.createdBy,
    })),
    createdBy: redaction.otherPeople ? hidden : report.createdBy,
    case: redaction.otherPeople ? withoutActors(report.case, hidden) : report.case,
    timeline: timeline.map((event) =>
      redaction.otherPeople && event.actorKind === 'user' ? { ...event, actor: hidden } : event,
    ),
    timelineTotal: timeline.length,
    places,
    map: drawReportMap(places),
  };
}

function withoutActors(
  found: UserReportDocument['case'],
  hidden: string,
): UserReportDocument['case'] {
  if (found === null) return null;
  const entries = found.entries.map((entry) => ({ ...entry, actor: hidden }));
  return { ...found, openedBy: hidden, entries };
}

/** All users who acted, excluding the person of the report. */
function actorsOf(report: UserReportDocument): string[] {
  const { subject } = report;
  const own = new Set([subject.name, subject.username, subject.email]);
  const found = [
    report.createdBy,
    ...report.commands.map(({ createdBy }) => createdBy),
    ...report.timeline.filter(({ actorKind }) => actorKind === 'user').map(({ actor }) => actor),
    ...(report.case === null
      ? []
      : [report.case.openedBy, ...report.case.entries.map(({ actor }) => actor)]),
  ];
  return [...new Set(found)].filter((name) => !own.has(name));
}

function contactsOf({ subject }: UserReportDocument): string[] {
  return [subject.username, subject.email, subject.phone].filter((text) => text !== null);
}

const countriesOf = ({ subject, devices }: UserReportDocument): string[] => [
  ...new Set([subject, ...devices].flatMap(({ country }) => country ?? [])),
];

function placesFor(places: readonly ReportPlace[], { place }: Redaction): ReportPlace[] {
  if (place === 'none') return [];
  if (place === 'as-is') return [...places];
  const degrees = Number(place);
  const rounded = (value: number): number =>
    Math.round(Math.round(value / degrees) * degrees * 10) / 10;
  return places.map((one) => ({
    ...one,
    latitude: rounded(one.latitude),
    longitude: rounded(one.longitude),
    accuracyMeters: Math.max(one.accuracyMeters, degrees * 111_000),
    precise: false,
  }));
}

/** The gaps on locations describe the redacted data. */
function gapsFor(
  gaps: readonly ReportGap[],
  places: readonly ReportPlace[],
  { place }: Redaction,
): ReportGap[] {
  if (place === 'as-is') return [...gaps];
  const others = gaps.filter(({ code }) => code !== 'rounded-places');
  if (places.length === 0) return others;
  return [...others, { code: 'rounded-places', facts: { degrees: Number(place) } }];
}

/** Texts of the portal, ids, and times: they contain no personal data. */
const fixed: ReadonlySet<string> = new Set([
  ...['id', 'deviceId', 'code', 'severity', 'state', 'statusDetails', 'lifecycle', 'connectivity'],
  ...['type', 'kind', 'actorKind', 'parts', 'language', 'voice', 'paper', 'at', 'from', 'to'],
  ...['since', 'until', 'createdAt', 'queuedAt', 'startedAt', 'endedAt', 'openedAt', 'closedAt'],
  ...['land', 'tavState', 'connectivitySince', 'lastSeenAt', 'mandatoryFrom', 'sources'],
  // Product identifiers and versions, which detectors would mistake for personal numbers.
  ...['serialNumber', 'agentVersion', 'softwareVersion', 'version', 'previous', 'approved'],
]);

/** Fields whose content comes from other sources and has its own keys. */
const foreign: ReadonlySet<string> = new Set(['data', 'facts']);

interface Redactor {
  readonly redactor: TextRedactor;
  /** Replaces the whole value of a hidden field. */
  readonly hidden: string;
}

function redacted<Value>(value: Value, by: Redactor, isForeign = false): Value {
  // Whole values that are already hidden, which contain no data.
  if (value === by.hidden) return value;
  if (typeof value === 'string') return by.redactor.text(value) as Value;
  if (Array.isArray(value))
    return value.map((one: unknown) => redacted(one, by, isForeign)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]: [string, unknown]) => {
    if (!isForeign && fixed.has(key)) return [key, one];
    if (isForeign && by.redactor.isHiddenKey(key)) return [key, by.hidden];
    return [key, redacted(one, by, isForeign || foreign.has(key))];
  });
  return Object.fromEntries(entries) as Value;
}
