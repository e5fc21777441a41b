import { summarizeConnectivity } from '@deviceportal/contract/connectivity-summary';
import type { StripPiece, UserReportDocument } from '@deviceportal/contract/user-report-document';
import { drawReportMap } from '../../../src/reports/creation/draw-report-map.ts';

const FROM = '2026-11-01T00:00:00.000Z';
const TO = '2026-11-08T00:00:00.000Z';
const DEVICE_ID = '01a21920-440c-7114-8dc2-3533b5d34b03';
const at = (minute: number): string => new Date(Date.parse(FROM) + minute * 60_000).toISOString();

export function emptyReport(language: 'en' | 'zh-CN'): UserReportDocument {
  return {
    ...{ schema: 1, id: '01a21920-4409-7137-9858-96bc2d9119b0', language, voice: 'technical' },
    ...{ paper: language === 'en' ? 'letter' : 'a4', from: FROM, to: TO, createdAt: TO },
    parts: [
      ...(['account', 'devices', 'connectivity', 'commands'] as const),
      ...(['timeline', 'versions', 'locations', 'case'] as const),
    ],
    createdBy: 'support@example.com',
    subject: {
      ...{ id: '01a21920-4409-7137-9858-96bc2d9119b1', name: 'Łukasz 王小明', username: null },
      ...{ email: null, phone: null, country: 'DE', language: 'de', createdAt: FROM },
    },
    account: null,
    ...{ findings: [], devices: [], connectivity: [], commands: [], versions: [] },
    ...{ versionChanges: [], places: [], map: null, case: null, gaps: [], sources: [] },
    ...{ timeline: [], timelineTotal: 0 },
  };
}

const pieces: readonly StripPiece[] = [
  { from: FROM, to: at(4_000), state: 'unknown' },
  { from: at(4_000), to: at(6_000), state: 'online' },
  { from: at(6_000), to: at(6_001), state: 'offline' },
  { from: at(6_001), to: at(9_000), state: 'degraded' },
  { from: at(9_000), to: TO, state: 'online' },
];

/** Every kind of block, with this number of commands, events, and lines of output. */
export function fullReport(
  language: 'en' | 'zh-CN',
  { lines, note = 'Ana Kovač called about 192.0.2.44' }: { lines: number; note?: string },
): UserReportDocument {
  const numbers = Array.from({ length: lines }, (_, index) => index);
  const device = { deviceId: DEVICE_ID, device: 'KS3GB00042' };
  const places = numbers.slice(0, 40).map((index) => ({
    ...{ ...device, at: at(index), latitude: 52.5, longitude: 13.4, accuracyMeters: 20 },
    ...{ source: 'gps', country: 'DE', precise: true },
  }));
  return {
    ...emptyReport(language),
    findings: (['disk-full', 'clock-wrong', 'offline'] as const).map((code, index) => ({
      ...{ code, severity: index === 0 ? 'error' : 'warning', ...device, since: FROM },
      facts: { percent: 97, fact: '97 % used', reason: 'shutdown' },
      ...{ until: index === 1 ? TO : null, invocation: null },
    })),
    devices: [
      {
        ...{ id: DEVICE_ID, serialNumber: 'KS3GB00042', name: 'kiosk-london-00042' },
        ...{ model: 'K310', country: 'GB', lifecycle: 'active', connectivity: 'online' },
        ...{ connectivitySince: FROM, lastSeenAt: TO, agentVersion: '0.1.0', platform: 'Linux' },
        ...{ ipAddress: '192.0.2.44', softwareVersion: '1.7.2', tavState: null },
      },
    ],
    connectivity: [{ ...device, pieces, summary: summarizeConnectivity(pieces) }],
    commands: numbers.map((index) => ({
      ...{ id: `c${index}`, command: 'storage/usage', document: 'StorageUsage:1', ...device },
      ...{ state: 'Failed', statusDetails: 'Failed', exitCode: 1, queuedAt: at(index) },
      ...{ startedAt: at(index), endedAt: at(index + 1), createdBy: 'support@example.com' },
      lastLines: index === 0 ? numbers.map((line) => `line ${line} 磁盘已满`).join('\n') : '',
    })),
    versions: numbers.slice(0, 60).map((index) => ({
      ...{ ...device, component: `part-${index}`, version: '1.0.0', since: FROM },
      ...{ approved: '1.1.0', mandatoryFrom: null, state: null },
    })),
    places,
    map: drawReportMap(places),
    case: {
      ...{
        id: 'case',
        ticket: 'T-1',
        about: note.slice(0, 500),
        openedAt: FROM,
        openedBy: 'Ana Kovač',
      },
      ...{ closedAt: TO, outcome: 'resolved' },
      entries: [{ id: 'e', at: FROM, actor: 'Ana Kovač', kind: 'note', text: note, said: note }],
    },
    gaps: [{ code: 'still-running', facts: { count: 1 } }],
    sources: [{ name: 'device', rows: 1 }],
    timeline: numbers.map((index) => ({
      ...{ id: `t${index}`, at: at(index), type: 'device.degraded', ...device },
      ...{ actor: 'kiosk-london-00042', actorKind: 'device' },
      data: { failing: [{ part: 'memory', fact: '97 % used' }] },
    })),
    timelineTotal: lines,
  };
}
