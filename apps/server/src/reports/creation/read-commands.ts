import type { InvocationRow } from '@deviceportal/contract/invocations';
import type { DeviceRow } from '@deviceportal/contract/devices';
import { isFinal } from '@deviceportal/contract/states';
import type { ReportCommand } from '@deviceportal/contract/user-report-document';
import { listInvocations } from '../../commands/invocations/list-invocations.ts';
import { readOutputEnd } from '../../commands/output/read-output-end.ts';
import { deviceName } from './read-devices.ts';
import { mayRead, type ReportCreation } from './report-creation.ts';

const LIMIT = 1_000;
const PAGE_SIZE = 100;
const OUTPUTS = 20;

/** Commands that ran on the devices in the time range, newest first, with the last lines of output of failed ones. */
export async function readCommands(
  creation: ReportCreation,
  devices: readonly DeviceRow[],
): Promise<ReportCommand[]> {
  const { gaps, sources } = creation;
  if (!mayRead(creation, 'commands', 'commands:read')) return [];
  const found: InvocationRow[] = [];
  for (const device of devices) found.push(...(await invocationsOf(creation, device)));
  const rows = found
    .toSorted((one, other) => (one.queuedAt < other.queuedAt ? 1 : -1))
    .slice(0, LIMIT);
  if (found.length > LIMIT)
    gaps.push({ code: 'too-many', facts: { what: 'commands', limit: LIMIT } });
  const open = rows.filter(({ state }) => !isFinal(state)).length;
  if (open > 0) gaps.push({ code: 'still-running', facts: { count: open } });
  sources.push({ name: 'invocation', rows: found.length });
  const failed = rows.filter(isFailed).slice(0, OUTPUTS);
  const ends = await readOutputEnd(
    creation.deps,
    creation.viewer,
    failed.map(({ id }) => id),
  );
  return rows.map((row) => commandOf(row, ends.get(row.id) ?? ''));
}

const isFailed = ({ state }: InvocationRow): boolean => state === 'Failed' || state === 'TimedOut';

async function invocationsOf(
  { deps, viewer, report }: ReportCreation,
  device: DeviceRow,
): Promise<InvocationRow[]> {
  const rows: InvocationRow[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listInvocations>> = await listInvocations(deps, viewer, {
      runId: null,
      deviceId: device.id,
      states: [],
      pageSize: PAGE_SIZE,
      cursor,
    });
    rows.push(
      ...page.rows.filter(({ queuedAt }) => queuedAt >= report.from && queuedAt <= report.to),
    );
    // Newest first: after the first one that is too old, all others are too.
    const isPast = page.rows.some(({ queuedAt }) => queuedAt < report.from);
    cursor = isPast ? null : page.nextCursor;
  } while (cursor !== null && rows.length < LIMIT);
  return rows;
}

function commandOf(row: InvocationRow, lastLines: string): ReportCommand {
  return {
    id: row.id,
    command: row.command,
    document: `${row.documentName}:${row.documentVersion}`,
    deviceId: row.deviceId,
    device: deviceName({ serialNumber: row.serialNumber, name: row.deviceName }),
    state: row.state,
    statusDetails: row.statusDetails,
    exitCode: row.responseCode,
    queuedAt: row.queuedAt,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    createdBy: row.createdBy,
    lastLines,
  };
}
