import { connectivity, deviceLifecycle, tavState } from '../../states.ts';
import { countryWords } from '../../locations/country-words.ts';
import {
  sharesOfKnownTime,
  summarizeConnectivity,
  type ConnectivitySummary,
} from './connectivity-summary.ts';
import { timeUnits, type MomentWords } from './moment-words.ts';
import type { ReportBlock, ReportCell, ReportStrip } from './report-blocks.ts';
import type { Amount, ReportWords } from './report-vocabulary.ts';
import { reportWords } from './report-words.ts';
import type { ConnectivityStrip, UserReportDocument } from './user-report-document.ts';

const cell = (text: string | null): ReportCell => ({ text: text ?? '-' });
const deviceCell = (id: string, text: string): ReportCell => ({
  text,
  reference: { kind: 'device', id },
});

export function deviceBlocks(report: UserReportDocument, moment: MomentWords): ReportBlock[] {
  const { column, none, sections } = reportWords(report.language);
  if (report.devices.length === 0) return [{ kind: 'text', text: none.devices }];
  const { language } = report;
  return [
    {
      kind: 'table',
      label: sections.devices,
      headers: [
        column.device,
        column.connection,
        column.lifecycle,
        column.model,
        column.software,
        column.country,
        column.lastSeen,
      ],
      widths: [2.2, 1.3, 1.1, 1.4, 1.3, 1.4, 2],
      rows: report.devices.map((device) => [
        deviceCell(device.id, device.serialNumber ?? device.name),
        cell(connectivity[device.connectivity][language]),
        cell(deviceLifecycle[device.lifecycle][language]),
        cell(device.model),
        cell(device.softwareVersion),
        cell(device.country && countryWords(device.country, language)),
        cell(moment(device.lastSeenAt)),
      ]),
    },
  ];
}

/** A chart of each device's connectivity, with the same data as text. */
export function connectivityBlocks(report: UserReportDocument, moment: MomentWords): ReportBlock[] {
  if (report.connectivity.length === 0) return [];
  const words = reportWords(report.language);
  const states = ['online', 'degraded', 'offline', 'unknown'] as const;
  return [
    {
      kind: 'strips',
      from: moment(report.from),
      to: moment(report.to),
      legend: states.map((state) => ({ state, words: words.strip[state] })),
      strips: report.connectivity.map((strip) => stripOf(strip, report)),
    },
  ];
}

function stripOf(strip: ConnectivityStrip, report: UserReportDocument): ReportStrip {
  const words = reportWords(report.language);
  const fromMs = Date.parse(report.from);
  const spanMs = Math.max(1, Date.parse(report.to) - fromMs);
  // Not the stored summary, which copies of earlier releases lack.
  const summary = summarizeConnectivity(strip.pieces);
  return {
    label: strip.device,
    words: words.stripWords({
      shares: sharesOfKnownTime(summary).map(({ state, tenths }) => ({
        words: words.strip[state],
        percent: `${(tenths / 10).toFixed(1)}%`,
      })),
      disconnects: summary.disconnects,
      coverage: coverageWords(summary, words.coverage),
    }),
    pieces: strip.pieces.map(({ from, to, state }) => ({
      start: (Date.parse(from) - fromMs) / spanMs,
      share: (Date.parse(to) - Date.parse(from)) / spanMs,
      state,
    })),
  };
}

/** "22 of 43 min", or "29 min of 7 d". */
function coverageWords(
  { knownMs, totalMs }: ConnectivitySummary,
  words: ReportWords['coverage'],
): string {
  return knownMs === totalMs ? '' : words(amountOf(knownMs), amountOf(totalMs));
}

/** In the largest unit that fits at least twice. */
function amountOf(ms: number): Amount {
  const [unit, seconds] = timeUnits.find(([, size]) => ms >= 2_000 * size) ?? timeUnits[3];
  const value = ms / 1_000 / seconds;
  const count = value < 10 ? Math.round(value * 10) / 10 : Math.floor(value);
  return { count: String(count), unit };
}

/** Installed vs. approved versions, then version changes. */
export function versionBlocks(report: UserReportDocument, moment: MomentWords): ReportBlock[] {
  const { column, sections } = reportWords(report.language);
  const blocks: ReportBlock[] = [];
  if (report.versions.length > 0) {
    blocks.push({
      kind: 'table',
      label: sections.versions,
      headers: [column.device, column.component, column.version, column.approved, column.state],
      widths: [2, 1.6, 1.4, 1.4, 1.6],
      rows: report.versions.map((row) => [
        deviceCell(row.deviceId, row.device),
        cell(row.component),
        cell(row.version),
        cell(row.approved),
        cell(row.state === null ? null : tavState[row.state][report.language]),
      ]),
    });
  }
  if (report.versionChanges.length > 0 && report.voice === 'technical') {
    blocks.push({
      kind: 'table',
      label: column.change,
      headers: [column.time, column.device, column.component, column.change],
      widths: [1.8, 2, 1.6, 2.6],
      rows: report.versionChanges.map((row) => [
        cell(moment(row.at)),
        deviceCell(row.deviceId, row.device),
        cell(row.component),
        cell(row.previous === null ? row.version : `${row.previous} > ${row.version ?? '-'}`),
      ]),
    });
  }
  return blocks;
}
