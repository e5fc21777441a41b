import { sql, type SQL } from 'drizzle-orm';
import { newId } from '@deviceportal/contract/ids';
import {
  RE_ENROLMENT_APPROVAL_MINUTES,
  RE_ENROLMENT_REQUEST_HOURS,
  type MachineFacts,
} from '@deviceportal/contract/re-enrolment';
import type { ElevationBond } from '@deviceportal/contract/elevations';
import type { Transaction } from '../../platform/database/database.ts';
import { requireRoom } from '../../platform/growth-limits/require-room.ts';
import { stillManages } from '../still-manages.ts';

export interface RequestRow extends Record<string, unknown> {
  readonly id: string;
  readonly deviceId: string;
  readonly keyFingerprint: string;
  readonly decision: 'approved' | 'rejected' | null;
}

const columns = sql`
  r.id, r.device_id as "deviceId", r.key_fingerprint as "keyFingerprint", r.decision`;

/** A rejected one counts until its end, too: the key that was rejected does not ask again. */
const isLive = sql`r.expires_at > portal_now()`;

/** The device's row is locked before: one at a time. */
export async function findRequestOf(
  tx: Transaction,
  deviceId: string,
): Promise<RequestRow | undefined> {
  return findRequest(tx, sql`r.device_id = ${deviceId}`);
}

/** Locked until the transaction ends, behind its device, as everywhere. */
export async function holdRequest(tx: Transaction, id: string): Promise<RequestRow | undefined> {
  await tx.execute(sql`
    select from device where id = (select device_id from re_enrolment_request where id = ${id}) for update`);
  return findRequest(tx, sql`r.id = ${id}`);
}

async function findRequest(tx: Transaction, where: SQL): Promise<RequestRow | undefined> {
  const { rows } = await tx.execute<RequestRow>(
    sql`select ${columns} from re_enrolment_request r where ${where} and ${isLive} for update`,
  );
  return rows[0];
}

export interface NewRequest {
  readonly deviceId: string;
  readonly keyFingerprint: string;
  readonly machine: MachineFacts;
}

/**
 * In the place of one that is over. @throws PortalError 2004 `limitReached` when too many wait in all
 */
export async function insertRequest(tx: Transaction, request: NewRequest): Promise<string> {
  // What others hold at this moment is left to them: two that clear away must not wait for each other.
  await tx.execute(sql`
    delete from re_enrolment_request where device_id in (
      select r.device_id from re_enrolment_request r where not ${isLive} limit 100 for update skip locked)`);
  const existing = sql`select from re_enrolment_request r where ${isLive} and r.decision is null`;
  await requireRoom(tx, { limit: 'openReEnrolments', of: '', existing });
  const id = newId();
  await tx.execute(sql`
    insert into re_enrolment_request (device_id, id, key_fingerprint, machine, expires_at)
    values (${request.deviceId}, ${id}, ${request.keyFingerprint}, ${JSON.stringify(request.machine)}::jsonb,
      portal_now() + ${RE_ENROLMENT_REQUEST_HOURS} * interval '1 hour')
    on conflict (device_id) do update set id = excluded.id, key_fingerprint = excluded.key_fingerprint,
      machine = excluded.machine, asked_at = excluded.asked_at, expires_at = excluded.expires_at,
      decision = null, decided_by = null, decided_by_id = null, elevation_id = null`);
  return id;
}

/** The approval ends with the access by which it was given, too. */
export async function keepApproval(
  tx: Transaction,
  id: string,
  {
    by,
    bond,
  }: {
    readonly by: { readonly id: string; readonly name: string };
    readonly bond: ElevationBond | null;
  },
): Promise<void> {
  await tx.execute(sql`
    update re_enrolment_request set decision = 'approved', decided_by = ${by.name}, decided_by_id = ${by.id},
      elevation_id = ${bond?.elevationId ?? null},
      expires_at = least(portal_now() + ${RE_ENROLMENT_APPROVAL_MINUTES} * interval '1 minute',
        ${bond?.endsAt ?? null}::timestamptz)
    where id = ${id}`);
}

export async function keepRejection(tx: Transaction, id: string, by: string): Promise<void> {
  await tx.execute(sql`
    update re_enrolment_request set decision = 'rejected', decided_by = ${by},
      expires_at = asked_at + ${RE_ENROLMENT_REQUEST_HOURS} * interval '1 hour'
    where id = ${id}`);
}

export interface EndedRequest extends Record<string, unknown> {
  readonly id: string;
  readonly elevationId: string | null;
  /** Who approved it may still manage the device. */
  readonly byManager: boolean;
}

export async function deleteRequestOf(
  tx: Transaction,
  deviceId: string,
): Promise<EndedRequest | undefined> {
  const { rows } = await tx.execute<EndedRequest>(sql`
    delete from re_enrolment_request r using device d where r.device_id = ${deviceId} and d.id = r.device_id
    returning r.id, r.elevation_id as "elevationId", ${stillManages(sql`r.decided_by_id`)} as "byManager"`);
  return rows[0];
}
