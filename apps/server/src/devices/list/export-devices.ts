import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import type { DeviceExport, DeviceRow, exportDevicesInput } from '@deviceportal/contract/devices';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { inTransaction, type Database } from '../../platform/database/database.ts';
import { csvHeader, csvLines, type CsvColumns } from '../../platform/csv.ts';
import { ConcurrencyLimit } from '../../platform/growth-limits/concurrency-limit.ts';
import type { Caller, Viewer } from '../../platform/viewer.ts';
import { loadDeviceRows } from './load-device-rows.ts';
import { listDeviceIds } from './list-devices.ts';

type ExportDependencies = { readonly database: Database; readonly clock: () => Date };
type ExportInput = z.infer<typeof exportDevicesInput>;

const EXPORT_LIMIT = 10_000;
/** Small, so that other requests are served between two pages. */
const ROWS_AT_ONCE = 250;
/** After this number of rows, an export pauses half of the time. */
const ROWS_IN_ONE_GO = 1_000;
const exportsAtOnce = new ConcurrencyLimit({
  each: 1,
  all: 3,
  waiting: 50,
  maxWaitMs: 20_000,
  rest: 3,
});

const columns: CsvColumns<DeviceRow> = [
  ['serialNumber', (row) => row.serialNumber],
  ['name', (row) => row.name],
  ['connectivity', (row) => row.connectivity],
  ['connectivitySince', (row) => row.connectivitySince],
  ['lastSeenAt', (row) => row.lastSeenAt],
  ['disconnectReason', (row) => row.disconnectReason],
  ['lifecycle', (row) => row.lifecycle],
  ['owner', (row) => row.owner?.name ?? null],
  ['model', (row) => row.model],
  ['hardwareRevision', (row) => row.hardwareRevision],
  ['softwareVersion', (row) => row.softwareVersion],
  ['tavState', (row) => row.tavState],
  ['findings', (row) => row.findings.map(({ rule }) => rule).join(' ')],
  ['country', (row) => row.country],
  [
    'labels',
    (row) =>
      Object.entries(row.labels)
        .map(([key, value]) => `${key}=${value}`)
        .join(';'),
  ],
  ['platform', (row) => row.platform],
  ['agentVersion', (row) => row.agentVersion],
  ['ipAddress', (row) => row.ipAddress],
  ['deviceId', (row) => row.id],
  ['instanceId', (row) => row.instanceId],
  ['createdAt', (row) => row.createdAt],
];

/** The rows of a filter page by page, sorted. */
async function* deviceExportPages(
  deps: ExportDependencies,
  viewer: Viewer,
  input: ExportInput,
): AsyncGenerator<readonly DeviceRow[]> {
  let cursor: string | null = null;
  let rows = 0;
  do {
    const startedAtMs = performance.now();
    const page: Awaited<ReturnType<typeof listDeviceIds>> = await listDeviceIds(deps, viewer, {
      ...input,
      cursor,
      pageSize: ROWS_AT_ONCE,
    });
    yield await loadDeviceRows(deps.database.orm, viewer, page.ids);
    cursor = page.nextCursor;
    rows += page.ids.length;
    if (rows >= ROWS_IN_ONE_GO) await sleep(performance.now() - startedAtMs);
  } while (cursor !== null);
}

/**
 * The rows of a filter as a file. The export is recorded in the audit trail with the number of rows before it is
 * returned, because it contains owners.
 */
export function exportDevices(
  deps: ExportDependencies,
  caller: Caller,
  input: ExportInput,
): Promise<DeviceExport> {
  const { viewer } = caller;
  return exportsAtOnce.run(viewer.userId, async () => {
    const made = await writeExport(deps, viewer, input);
    await inTransaction(deps.database, (tx) =>
      recordAudit(tx, [
        {
          type: 'device.list-exported',
          actor: actorOf(viewer, caller),
          requestId: caller.requestId,
          data: { count: made.count, truncated: made.truncated },
        },
      ]),
    );
    return made;
  });
}

async function writeExport(
  deps: ExportDependencies,
  viewer: Viewer,
  input: ExportInput,
): Promise<DeviceExport> {
  const pieces = [csvHeader(columns)];
  let count = 0;
  let truncated = false;
  for await (const page of deviceExportPages(deps, viewer, input)) {
    const rows = page.slice(0, EXPORT_LIMIT - count);
    pieces.push(csvLines(columns, rows));
    count += rows.length;
    truncated = rows.length < page.length;
    if (truncated) break;
  }
  const day = deps.clock().toISOString().slice(0, 10);
  return { fileName: `devices-${day}.csv`, text: pieces.join(''), count, truncated };
}
