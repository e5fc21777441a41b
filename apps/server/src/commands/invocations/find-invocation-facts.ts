import { sql } from 'drizzle-orm';
import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf, type Consequence } from '@deviceportal/contract/permissions';
import type {
  Connectivity,
  DeviceLifecycle,
  InvocationState,
  RunState,
  StatusDetails,
} from '@deviceportal/contract/states';
import { deviceScopeCondition } from '../../devices/device-scope-condition.ts';
import { maskUser } from '../../people/mask-person.ts';
import { freePlaces, NO_RAMP, placesOf, type RunPace } from '../execution/run-state-machine.ts';
import { runCountersIn } from '../run-counters.ts';
import type { Database } from '../../platform/database/database.ts';
import { isoOf, isoOrNull } from '../../platform/moment-cursor.ts';
import type { Viewer } from '../../platform/viewer.ts';

/** Everything that can say why an invocation stands where it stands. Moments as ISO 8601. */
export interface InvocationReasonFacts {
  readonly id: string;
  readonly runId: string;
  readonly command: string;
  readonly consequence: Consequence;
  readonly documentName: string;
  readonly documentVersion: number;
  readonly state: InvocationState;
  readonly statusDetails: StatusDetails;
  readonly responseCode: number | null;
  readonly queuedAt: string;
  readonly sentAt: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly newsAt: string | null;
  readonly cancelRequestedAt: string | null;
  readonly deliverBefore: string;
  readonly expiresAt: string;
  readonly steps: readonly {
    readonly name: string;
    readonly state: string;
    readonly exitCode: number | null;
    readonly reason: string | null;
  }[];
  readonly runState: RunState;
  readonly pausedBy: string | null;
  readonly pausedAt: string | null;
  readonly maxErrors: string;
  /** Of the same run, as all counts here: those on devices that are in sight. */
  readonly targetCount: number;
  readonly inProgressCount: number;
  readonly errorCount: number;
  /** Invocations that are sent before this one, counted up to a thousand. */
  readonly ahead: number;
  /** How many may be under way at a time. */
  readonly places: number;
  /** Whether the run has a place left. */
  readonly isItsTurn: boolean;
  /** What the device does first; null where nothing is known to be before this. */
  readonly behind: {
    readonly invocationId: string;
    readonly command: string;
    readonly by: string;
    readonly startedAt: string;
  } | null;
  /** The latest act that ended it, or asked for its end. */
  readonly endedBy: {
    readonly type: string;
    readonly by: string;
    readonly kind: string;
    readonly at: string;
    readonly reason: string | null;
  } | null;
  readonly deviceId: string;
  readonly deviceName: string;
  readonly country: string | null;
  readonly model: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly lifecycle: DeviceLifecycle;
  readonly connectivity: Connectivity | null;
  readonly connectivitySince: string | null;
  readonly disconnectReason: string | null;
  readonly instanceId: string | null;
  readonly platform: string | null;
}

const AHEAD_COUNTED = 1_000;

interface RawFacts extends Omit<InvocationReasonFacts, 'places' | 'isItsTurn'> {
  readonly pace: RunPace & { readonly inProgressCount: number };
}

/** @throws PortalError 5000 when there is none within the viewer's scope */
export async function findInvocationFacts(
  { database }: { readonly database: Database },
  viewer: Viewer,
  id: string,
): Promise<InvocationReasonFacts> {
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  const { counters, target, join } = runCountersIn(scopes);
  const { rows } = await database.orm.execute(sql`
    select i.id, i.run_id as "runId", r.command, r.consequence, r.document_name as "documentName",
      r.document_version as "documentVersion", i.state, i.status_details as "statusDetails",
      i.response_code as "responseCode", i.queued_at as "queuedAt", i.sent_at as "sentAt",
      i.started_at as "startedAt", i.ended_at as "endedAt", i.news_at as "newsAt",
      i.cancel_requested_at as "cancelRequestedAt", i.deliver_before as "deliverBefore", i.expires_at as "expiresAt",
      i.steps, r.state as "runState", r.paused_by as "pausedBy", r.paused_at as "pausedAt",
      jsonb_build_object('maxConcurrency', r.max_concurrency, 'targetCount', r.target_count,
        'rampLimit', r.ramp_limit, 'inProgressCount', r.in_progress_count) as pace,
      r.max_errors as "maxErrors", ${target} as "targetCount",
      (${counters}->>'inProgress')::int as "inProgressCount",
      (${counters}->>'failed')::int + (${counters}->>'timedOut')::int as "errorCount",
      (select count(*)::int from (select from invocation o join device od on od.id = o.device_id
        where o.run_id = i.run_id and o.state = 'Pending' and o.id < i.id
          and ${deviceScopeCondition(scopes, sql.raw('od'))} limit ${AHEAD_COUNTED}) before) as ahead,
      ${behind} as behind, ${endedBy} as "endedBy",
      d.id as "deviceId", coalesce(d.serial_number, d.name) as "deviceName", d.country, d.model, d.labels, d.lifecycle,
      s.connectivity, s.connectivity_since as "connectivitySince", s.disconnect_reason as "disconnectReason",
      s.instance_id as "instanceId", s.platform
    from invocation i
    join command_run r on r.id = i.run_id
    join device d on d.id = i.device_id
    left join device_status s on s.device_id = i.device_id ${join}
    where i.id = ${id} and ${deviceScopeCondition(scopes)}`);
  const raw = rows[0] as unknown as RawFacts | undefined;
  if (raw === undefined)
    throw new PortalError('invocationNotFound', { facts: { invocationId: id } });
  return toFacts(raw, viewer);
}

/** A device does one command after the other, in the order in which it began. */
const behind = sql`(
  select jsonb_build_object('invocationId', o.id, 'command', b.command, 'by', b.created_by, 'startedAt', o.started_at)
  from invocation o join command_run b on b.id = o.run_id
  where o.device_id = i.device_id and o.ended_at is null and o.id <> i.id and o.started_at is not null
    and i.started_at is null
  order by o.started_at limit 1)`;

const endedBy = sql`(
  select jsonb_build_object('type', e.type, 'by', e.actor_name, 'kind', e.actor_kind, 'at', e.at,
    'reason', e.data->>'reason')
  from audit_event e
  where e.device_id = i.device_id and e.run_id = i.run_id
    and e.type in ('command.cancel-requested', 'command.terminated')
  order by e.at desc, e.id desc limit 1)`;

function toFacts({ pace, ...raw }: RawFacts, viewer: Viewer): InvocationReasonFacts {
  const isWhole = raw.targetCount === pace.targetCount;
  return {
    ...raw,
    places: placesOf(isWhole ? pace : { ...pace, targetCount: raw.targetCount, rampLimit: NO_RAMP })
      .now,
    isItsTurn: freePlaces(pace) > 0,
    queuedAt: isoOf(raw.queuedAt),
    sentAt: isoOrNull(raw.sentAt),
    startedAt: isoOrNull(raw.startedAt),
    endedAt: isoOrNull(raw.endedAt),
    newsAt: isoOrNull(raw.newsAt),
    cancelRequestedAt: isoOrNull(raw.cancelRequestedAt),
    deliverBefore: isoOf(raw.deliverBefore),
    expiresAt: isoOf(raw.expiresAt),
    pausedBy: raw.pausedBy === null ? null : maskUser(raw.pausedBy, viewer),
    pausedAt: isoOrNull(raw.pausedAt),
    connectivitySince: isoOrNull(raw.connectivitySince),
    behind: raw.behind && {
      ...raw.behind,
      by: maskUser(raw.behind.by, viewer),
      startedAt: isoOf(raw.behind.startedAt),
    },
    endedBy: raw.endedBy && {
      ...raw.endedBy,
      by: maskUser(raw.endedBy.by, viewer),
      at: isoOf(raw.endedBy.at),
    },
  };
}
