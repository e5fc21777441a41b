import { AUDIT_DEVICES, AUDIT_USERS } from './audit-asks.ts';
import type { GeneratedMonth } from './generated-months.ts';

/**
 * SQL of DuckDB for the events of a month as their file has them, spread evenly: every hundredth is by a user, and the
 * others are by devices in no order.
 */
export function selectMonth({ events, firstNumber, startsAt, endsAt }: GeneratedMonth): string {
  const stepUs = Math.floor(((endsAt.getTime() - startsAt.getTime()) * 1_000) / events);
  const byUser = '(n % 100 = 0 or n % 1000 = 7)';
  return `
    with known as materialized (
      select list(${uuidOf(`'d' || i`)} order by i) as uuids from range(${AUDIT_DEVICES}) as t(i)),
    numbered as (
      select ${firstNumber} + i as n, epoch_ms(${startsAt.getTime()}) + to_microseconds(i * ${stepUs}) as moment,
        (hash(i + ${firstNumber}) % ${AUDIT_DEVICES})::bigint as d
      from range(${events}) as t(i)),
    named as (select *, (select uuids from known)[d + 1] as uuid from numbered)
    select
      printf('%08x-%04x-7%03x-8%03x-%012x', epoch_ms(moment) >> 16, epoch_ms(moment) & 65535, n % 4096, n % 4095, n) as "id",
      strftime(moment, '%Y-%m-%dT%H:%M:%S.%fZ') as "at",
      case when n % 100 = 0 then 'command.requested' when n % 100 < 3 then 'command.finished'
        when n % 1000 = 7 then 'access.signed-in'
        else 'device-event.' || (['heartbeat', 'disk-full', 'service-crashed', 'config-changed'])[1 + n % 4] end as "type",
      uuid as "deviceId",
      case when ${byUser} then 'user' else 'device' end as "actorKind",
      case when ${byUser} then md5('u' || n % ${AUDIT_USERS}) else uuid end as "actorId",
      case when ${byUser} then 'person ' || n % ${AUDIT_USERS} else 'device ' || d end as "actorName",
      case when ${byUser} then '192.0.2.' || n % 251 end as "actorAddress",
      case when n % 1000 = 0 then ${uuidOf(`'c' || n % 5000`)} end as "caseId",
      case when n % 100 = 0 then 'r-' || n end as "requestId",
      case when n % 100 < 3 then ${uuidOf(`'r' || n // 100`)} end as "runId",
      '{"n": ' || n || ', "state": "' || case when n % 50 = 1 then 'Failed' else 'Success' end || '"}' as "data"
    from named`;
}

const uuidOf = (text: string): string =>
  `regexp_replace(md5(${text}), '^(.{8})(.{4})(.{4})(.{4})', '\\1-\\2-\\3-\\4-')`;
