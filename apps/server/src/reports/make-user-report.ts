import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import type { InvocationRow } from '@deviceportal/contract/invocations';
import type { DeviceRow } from '@deviceportal/contract/devices';
import { PortalError } from '@deviceportal/contract/errors';
import { holds, reaches, scopesOf, type Scope } from '@deviceportal/contract/permissions';
import type { UserReport, userReportInput } from '@deviceportal/contract/reports';
import { listAuditEvents } from '../audit-trail/list-audit-events.ts';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import type { CommandsDeps } from '../commands/commands-deps.ts';
import { listInvocations } from '../commands/list-invocations.ts';
import { deviceScopeCondition, isEverywhere } from '../devices/device-scope-condition.ts';
import { listDevices } from '../devices/list-devices.ts';
import { getPerson } from '../people/get-person.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller, Viewer } from '../platform/viewer.ts';

export type ReportsDependencies = Pick<CommandsDeps, 'database' | 'clock' | 'vault'>;

const LIST_LIMIT = 500;
const PAGE_SIZE = 100;
/** Devices whose history is read; whoever owns more gets the devices, and the history of the latest seen. */
const DEVICES_READ = 50;
const DEFAULT_PERIOD_MS = 7 * 86_400_000;

interface Period {
  readonly from: string;
  readonly to: string;
}

/** Everything about one person's devices in a period (the last seven days unless said). Looking is recorded. */
export async function makeUserReport(
  deps: ReportsDependencies,
  caller: Caller,
  input: z.infer<typeof userReportInput>,
): Promise<UserReport> {
  const { viewer } = caller;
  const now = deps.clock();
  const to = input.range.to ?? now.toISOString();
  const from = input.range.from ?? new Date(Date.parse(to) - DEFAULT_PERIOD_MS).toISOString();
  const period = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const person = await getPerson(deps, viewer, input.personId);
  const scopes = scopesOf(viewer.grants, ['reports:create']);
  await requireDeviceWithin(deps, scopes, input.personId);
  await inTransaction(deps.database, (tx) =>
    recordAudit(tx, [
      {
        type: 'report.created',
        actor: actorOf(viewer, caller),
        requestId: caller.requestId,
        data: { kind: 'user-report', personId: input.personId, ...period },
      },
    ]),
  );
  const devices = (await devicesOf(deps, viewer, input.personId)).filter((device) =>
    reaches(scopes, device),
  );
  const read = devices.slice(0, DEVICES_READ);
  const invocations = await eachDevice(read, (device) =>
    invocationsOf(deps, viewer, { device, period }),
  );
  const events = await eachDevice(read, (device) => eventsOf(deps, viewer, { device, period }));
  return {
    person,
    devices,
    invocations: newest(invocations, (row) => row.queuedAt),
    events: newest(events, (event) => event.at),
    ...period,
    createdAt: now.toISOString(),
    createdBy: viewer.username,
  };
}

/** A right to make reports that has a scope reaches the people who own a device in it. */
async function requireDeviceWithin(
  { database }: ReportsDependencies,
  scopes: readonly Scope[],
  personId: string,
): Promise<void> {
  if (scopes.some(isEverywhere)) return;
  const { rows } = await database.orm.execute(sql`
    select 1 from device d where d.owner_id = ${personId} and ${deviceScopeCondition(scopes)} limit 1`);
  if (rows.length === 0) throw new PortalError('notFound', { facts: { person: personId } });
}

async function devicesOf(
  deps: ReportsDependencies,
  viewer: Viewer,
  personId: string,
): Promise<DeviceRow[]> {
  if (!holds(viewer.grants, 'devices:read')) return [];
  const rows: DeviceRow[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listDevices>> = await listDevices(deps, viewer, {
      filter: {
        text: '',
        tokens: [{ key: 'owner', operator: '=', values: [personId] }],
        operation: 'and',
        targetListId: null,
      },
      sort: 'lastSeen',
      descending: true,
      pageSize: PAGE_SIZE,
      cursor,
    });
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null && rows.length < LIST_LIMIT);
  return rows.slice(0, LIST_LIMIT);
}

async function invocationsOf(
  deps: ReportsDependencies,
  viewer: Viewer,
  wanted: { readonly device: DeviceRow; readonly period: Period },
): Promise<InvocationRow[]> {
  if (!holds(viewer.grants, 'commands:read')) return [];
  const { device, period } = wanted;
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
      ...page.rows.filter((row) => row.queuedAt >= period.from && row.queuedAt <= period.to),
    );
    // Newest first: behind the first that is too old, all are.
    const reachedStart = page.rows.some((row) => row.queuedAt < period.from);
    cursor = reachedStart ? null : page.nextCursor;
  } while (cursor !== null && rows.length < LIST_LIMIT);
  return rows;
}

async function eventsOf(
  deps: ReportsDependencies,
  viewer: Viewer,
  wanted: { readonly device: DeviceRow; readonly period: Period },
): Promise<AuditEvent[]> {
  if (!holds(viewer.grants, 'audit-trail:read')) return [];
  const rows: AuditEvent[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listAuditEvents>> = await listAuditEvents(deps, viewer, {
      filter: {
        deviceId: wanted.device.id,
        actorId: null,
        actorKind: null,
        types: [],
        requestId: null,
        runId: null,
        range: wanted.period,
        text: '',
      },
      pageSize: PAGE_SIZE,
      cursor,
    });
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null && rows.length < LIST_LIMIT);
  return rows;
}

async function eachDevice<Row>(
  devices: readonly DeviceRow[],
  read: (device: DeviceRow) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const device of devices) rows.push(...(await read(device)));
  return rows;
}

function newest<Row>(rows: readonly Row[], at: (row: Row) => string): Row[] {
  return rows.toSorted((one, other) => (at(one) < at(other) ? 1 : -1)).slice(0, LIST_LIMIT);
}
