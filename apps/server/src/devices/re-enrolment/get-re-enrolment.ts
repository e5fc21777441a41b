import { sql } from 'drizzle-orm';
import type { MachineFacts, ReEnrolmentRequest } from '@deviceportal/contract/re-enrolment';
import { maskUser } from '../../people/mask-person.ts';
import { isoOf } from '../../platform/moment-cursor.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { DevicesDependencies } from '../devices-dependencies.ts';
import { scopePredicate } from '../search/scope-predicate.ts';

interface Row extends Record<string, unknown> {
  readonly id: string;
  readonly keyFingerprint: string;
  readonly askedAt: string;
  readonly expiresAt: string;
  readonly machine: MachineFacts;
  readonly device: MachineFacts;
  readonly approvedBy: string | null;
}

/** The machine that asks to become a device, or may; null where there is none, or none for this viewer. */
export async function getReEnrolment(
  { database }: DevicesDependencies,
  viewer: Viewer,
  deviceId: string,
): Promise<ReEnrolmentRequest | null> {
  const scope = scopePredicate(viewer.grants, ['devices:manage']);
  const { rows } = await database.orm.execute<Row>(sql`
    select r.id, r.key_fingerprint as "keyFingerprint", r.asked_at as "askedAt", r.expires_at as "expiresAt", r.machine,
      r.decided_by as "approvedBy",
      jsonb_build_object('hostName', n.host_name, 'model', d.model,
        'platform', n.platform_name || ' ' || n.platform_version, 'architecture', n.architecture,
        'agentVersion', n.agent_version, 'address', coalesce(s.ip_address, n.ip_address)) as device
    from re_enrolment_request r
    join device d on d.id = r.device_id
    left join device_status s on s.device_id = d.id
    left join device_instance n on n.device_id = d.id and n.state = 'current'
    where r.device_id = ${deviceId} and r.expires_at > portal_now() and r.decision is distinct from 'rejected'
      and ${scope?.where ?? sql`true`}`);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    ...row,
    askedAt: isoOf(row.askedAt),
    expiresAt: isoOf(row.expiresAt),
    approvedBy: row.approvedBy === null ? null : maskUser(row.approvedBy, viewer),
  };
}
