import { describe, expect, it } from 'vitest';
import type { UserReport } from '@deviceportal/contract/reports';
import { reportCsv, reportFileName } from './report-csv.ts';
import { reportFindings } from './report-findings.ts';

const device = {
  id: 'd1',
  serialNumber: 'SN1',
  name: '=cmd|calc',
  model: 'Kiosk, large',
  hardwareRevision: null,
  owner: null,
  country: 'DE',
  labels: {},
  lifecycle: 'active',
  connectivity: 'online',
  connectivitySince: null,
  lastSeenAt: null,
  disconnectReason: null,
  failing: [],
  instanceId: null,
  agentVersion: null,
  platform: null,
  ipAddress: null,
  softwareVersion: '1.2',
  tavState: null,
  findings: [],
  createdAt: '2026-01-01T00:00:00.000Z',
} as const;
const invocation = {
  id: 'i1',
  runId: 'r1',
  command: 'storage/clean',
  documentName: 'storage-clean',
  documentVersion: 1,
  deviceId: 'd1',
  deviceName: 'kiosk',
  serialNumber: 'SN1',
  instanceId: null,
  state: 'Failed',
  statusDetails: 'Failed',
  attempt: 1,
  responseCode: 2,
  queuedAt: '2026-11-20T10:00:00.000Z',
  sentAt: null,
  startedAt: null,
  endedAt: null,
  createdBy: 'ana',
  parameters: {},
  outputPreview: 'line "one"\nline two',
} as const;
const report: UserReport = {
  person: {
    id: '0199a1b2-0000-7000-8000-00000000beef',
    username: 'kim',
    name: 'Kim',
    email: null,
    phone: null,
    country: null,
    language: null,
    deviceCount: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
  },
  devices: [device],
  invocations: [invocation],
  events: [],
  from: '2026-11-13T00:00:00.000Z',
  to: '2026-11-20T00:00:00.000Z',
  createdAt: '2026-11-20T18:00:00.000Z',
  createdBy: 'ana',
};

describe('user report', () => {
  it('[report-1] a cell that looks like a formula is made harmless, commas and quotes are quoted', () => {
    const csv = reportCsv(report, 'devices');
    expect(csv).toContain(`,'=cmd|calc,"Kiosk, large",`);
    expect(reportCsv(report, 'commands')).toContain('"line ""one""\nline two"\r\n');
  });

  it('[report-2] a table without rows still has its header', () => {
    expect(reportCsv(report, 'events')).toMatch(/^id,at,type,.*\r\n$/);
  });

  it('[report-3] the name of a file names nobody', () => {
    expect(reportFileName(report, 'devices', 'csv')).toBe(
      'user-report-00000000beef-devices-20261120.csv',
    );
  });

  it('[report-4] a failed command is a finding, a healthy device is none', () => {
    expect(reportFindings(report).map(({ kind }) => kind)).toEqual(['command']);
    const offline = { ...device, connectivity: 'offline' as const };
    expect(reportFindings({ ...report, devices: [offline] }).map(({ kind }) => kind)).toEqual([
      'device',
      'command',
    ]);
  });
});
