import type { UserReportDocument } from '@deviceportal/contract/user-report-document';
import { csvHeader, csvLines, type CsvColumns } from '../../platform/csv.ts';

interface TableOf<Row> {
  readonly columns: readonly (keyof Row & string)[];
  readonly rows: readonly Row[];
}

function table<Row>(rows: readonly Row[], columns: readonly (keyof Row & string)[]): TableOf<Row> {
  return { columns, rows };
}

/**
 * A report's tables as CSV (RFC 4180), by file name: column names as in the JSON, times in UTC. An empty table has
 * only its header.
 */
export function reportTables(report: UserReportDocument): Map<string, string> {
  const files = new Map<string, string>();
  const add = <Row>(name: string, { columns, rows }: TableOf<Row>): void => {
    const shown: CsvColumns<Row> = columns.map((column) => [column, (row) => cellOf(row[column])]);
    // With the byte order mark, spreadsheets detect UTF-8.
    files.set(`${name}.csv`, `\u{FEFF}${csvHeader(shown)}${csvLines(shown, rows)}`);
  };
  add(
    'findings',
    table(report.findings, ['code', 'severity', 'device', 'since', 'until', 'deviceId', 'facts']),
  );
  add(
    'devices',
    table(report.devices, [
      ...(['id', 'serialNumber', 'name', 'model', 'country', 'lifecycle', 'connectivity'] as const),
      ...(['connectivitySince', 'lastSeenAt', 'agentVersion', 'platform', 'ipAddress'] as const),
      ...(['softwareVersion', 'tavState'] as const),
    ]),
  );
  const pieces = report.connectivity.flatMap(({ deviceId, device, pieces: own }) =>
    own.map((piece) => ({ deviceId, device, ...piece })),
  );
  add('connectivity', table(pieces, ['deviceId', 'device', 'from', 'to', 'state']));
  add(
    'connectivity-summary',
    table(
      report.connectivity.map(({ deviceId, device, summary }) => ({
        deviceId,
        device,
        ...summary,
      })),
      [
        ...(['deviceId', 'device', 'totalMs', 'knownMs', 'onlineMs', 'degradedMs'] as const),
        ...(['offlineMs', 'disconnects'] as const),
      ],
    ),
  );
  add(
    'commands',
    table(report.commands, [
      ...(['id', 'command', 'document', 'deviceId', 'device', 'state', 'statusDetails'] as const),
      ...(['exitCode', 'queuedAt', 'startedAt', 'endedAt', 'createdBy', 'lastLines'] as const),
    ]),
  );
  add(
    'timeline',
    table(report.timeline, [
      ...(['id', 'at', 'type', 'deviceId', 'device', 'actorKind', 'actor', 'data'] as const),
    ]),
  );
  add(
    'versions',
    table(report.versions, [
      ...(['deviceId', 'device', 'component', 'version', 'since', 'approved'] as const),
      ...(['mandatoryFrom', 'state'] as const),
    ]),
  );
  add(
    'version-changes',
    table(report.versionChanges, ['at', 'deviceId', 'device', 'component', 'previous', 'version']),
  );
  add(
    'places',
    table(report.places, [
      ...([
        'at',
        'deviceId',
        'device',
        'latitude',
        'longitude',
        'accuracyMeters',
        'source',
      ] as const),
      ...(['country', 'precise'] as const),
    ]),
  );
  add('case', table(report.case?.entries ?? [], ['id', 'at', 'kind', 'actor', 'text']));
  return files;
}

function cellOf(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
