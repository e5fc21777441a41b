import type { UserReport } from '@deviceportal/contract/reports';

export type ReportTable = 'devices' | 'commands' | 'events';
type Cell = string | number | null | undefined;

/**
 * One table of a report as CSV (RFC 4180): names as in the API, times UTC. A cell that a spreadsheet would take for a
 * formula gets an apostrophe in front.
 */
export function reportCsv(report: UserReport, table: ReportTable): string {
  const [header, ...rows] = tables[table](report);
  return [header ?? [], ...rows].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

const tables: Readonly<Record<ReportTable, (report: UserReport) => Cell[][]>> = {
  devices: ({ devices }) => [
    [
      'id',
      'serialNumber',
      'name',
      'model',
      'country',
      'lifecycle',
      'connectivity',
      'lastSeenAt',
      'softwareVersion',
      'agentVersion',
    ],
    ...devices.map((row) => [
      row.id,
      row.serialNumber,
      row.name,
      row.model,
      row.country,
      row.lifecycle,
      row.connectivity,
      row.lastSeenAt,
      row.softwareVersion,
      row.agentVersion,
    ]),
  ],
  commands: ({ invocations }) => [
    [
      'id',
      'runId',
      'command',
      'document',
      'deviceId',
      'serialNumber',
      'state',
      'statusDetails',
      'exitCode',
      'queuedAt',
      'startedAt',
      'endedAt',
      'createdBy',
      'output',
    ],
    ...invocations.map((row) => [
      row.id,
      row.runId,
      row.command,
      `${row.documentName}:${row.documentVersion}`,
      row.deviceId,
      row.serialNumber,
      row.state,
      row.statusDetails,
      row.responseCode,
      row.queuedAt,
      row.startedAt,
      row.endedAt,
      row.createdBy,
      row.outputPreview,
    ]),
  ],
  events: ({ events }) => [
    [
      'id',
      'at',
      'type',
      'deviceId',
      'serialNumber',
      'actorKind',
      'actor',
      'address',
      'requestId',
      'data',
    ],
    ...events.map((row) => [
      row.id,
      row.at,
      row.type,
      row.deviceId,
      row.serialNumber,
      row.actor.kind,
      row.actor.name,
      row.actor.address,
      row.requestId,
      JSON.stringify(row.data),
    ]),
  ],
};

function csvCell(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** `user-report-…-devices-20261120.csv`: the person by id only, a file's name travels far. */
export function reportFileName(
  report: UserReport,
  part: string,
  extension: 'csv' | 'json',
): string {
  const day = report.createdAt.slice(0, 10).replaceAll('-', '');
  return `user-report-${report.person.id.slice(-12)}-${part}-${day}.${extension}`;
}
