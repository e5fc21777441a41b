import { sql } from 'drizzle-orm';
import type { EnrolmentRequest } from '@deviceportal/device-protocol/enrolment';
import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { newId, newInstanceId, serialNumberSchema } from '@deviceportal/contract/ids';
import type { DeviceLifecycle } from '@deviceportal/contract/states';
import { lockRunningElevation } from '../../access/elevations/find-elevation-behind.ts';
import { recordAudit, type AuditActorDraft } from '../../audit-trail/record-audit.ts';
import { terminateInvocations } from '../../commands/execution/terminate-invocations.ts';
import { applyAddressCountries } from '../../locations/by-address/apply-address-countries.ts';
import type { ChangeFeed } from '../../platform/change-feed.ts';
import {
  inTransaction,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import { hashClaimToken } from '../claims/claim-token.ts';
import { refreshDeviceCopies, serialRankOf } from '../device-copies-store.ts';
import { endClaimOfDevice, endClaimWithoutRight } from '../claims/end-claim.ts';
import { askToReEnrol } from '../re-enrolment/ask-to-re-enrol.ts';
import { inPlainWords } from '../list/in-plain-words.ts';
import { endReEnrolment, takeApproval } from '../re-enrolment/end-re-enrolment.ts';
import type { RefusedEnrolment } from './refused-enrollment.ts';
import { requireRightToEnrol, type FormerCertificate } from './require-right-to-enroll.ts';

export interface CertificateFacts {
  /** sha256 of the certificate, hexadecimal. */
  readonly fingerprint: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

export interface EnrolDeviceOptions<Certificate extends CertificateFacts> {
  /** Signs the device's certificate request; what it answers is passed on. */
  readonly issueCertificate: (deviceId: string) => Promise<Certificate>;
  /** Network address of the device. */
  readonly address: string;
  /** The country of that address, ISO 3166-1 alpha-2, where it tells one. */
  readonly country?: string | null;
  /** Of the key in the request, by `keyFingerprint`; the machine has shown to hold it. */
  readonly readKeyFingerprint: () => Promise<string>;
  /** The certificate of an earlier enrolment whose key the machine has shown to hold. */
  readonly former?: FormerCertificate | undefined;
}

export interface Enrolment<Certificate extends CertificateFacts> {
  readonly deviceId: string;
  readonly instanceId: string;
  readonly certificate: Certificate;
  readonly created: boolean;
  /** The device had an instance before, which is superseded now. */
  readonly reEnrolled: boolean;
}

const WORDS = [
  ...(['model', 'hostName', 'platformName', 'platformVersion'] as const),
  ...(['architecture', 'agentVersion'] as const),
] as const;

interface ClaimRecord extends Record<string, unknown> {
  readonly id: string;
  readonly model: string | null;
  readonly owner_id: string | null;
  readonly country: string | null;
  readonly labels: Record<string, string>;
  readonly only_recorded: boolean;
  readonly device_id: string | null;
  readonly uses: number;
  /** The temporary access with which it ends. */
  readonly elevation_id: string | null;
  /** Its creator has lost the right to it before. */
  readonly ended: boolean;
}

interface DeviceRecord extends Record<string, unknown> {
  readonly id: string;
  readonly name: string;
  readonly serial_number: string | null;
  readonly model: string | null;
  readonly country: string | null;
  readonly labels: Record<string, string>;
  readonly lifecycle: DeviceLifecycle;
}

/**
 * Exchanges one use of a claim for an instance. The use is spent only if everything else succeeds, and never twice:
 * the claim's row is locked until the end.
 *
 * @throws PortalError noPermission when the token is unknown, used up or expired, or does not fit this device; with the
 *   facts of a re-enrolment where a person must approve it first
 */
export async function enrolDevice<Certificate extends CertificateFacts>(
  deps: { readonly database: Database; readonly changes: ChangeFeed; readonly clock: () => Date },
  asked: EnrolmentRequest,
  options: EnrolDeviceOptions<Certificate>,
): Promise<Enrolment<Certificate>> {
  const request = inPlainWords(asked, WORDS);
  const outcome = await inTransaction(deps.database, async (tx) => {
    const now = deps.clock();
    const claim = await spendClaim(tx, request.claimToken, now);
    const ended = await endClaimWithoutRight(tx, claim, options.address);
    if (ended !== null) return ended;
    const { device, created } = await findOrCreateDevice(tx, claim, request);
    const right = created ? null : await takeRight(tx, { claim, device, request }, options);
    if (right !== null && 'refusal' in right) return right;
    const certificate = await options.issueCertificate(device.id);
    const { instanceId, superseded } = await writeInstance(tx, device.id, {
      request,
      certificate,
      address: options.address,
      now,
    });
    await tx.execute(sql`update device set lifecycle = 'active', updated_at = ${now.toISOString()}::timestamptz
      where id = ${device.id} and lifecycle = 'pending'`);
    if (claim.uses === 1) {
      await tx.execute(sql`update claim set device_id = ${device.id} where id = ${claim.id}`);
    }
    await refreshDeviceCopies(tx, [device.id]);
    await tx.execute(sql`update device_status set instance_id = ${instanceId}, agent_version = ${request.agentVersion},
      platform = ${request.platformType} where device_id = ${device.id}`);
    const actor: AuditActorDraft = {
      kind: 'device',
      id: device.id,
      name: device.name,
      address: options.address,
    };
    if (options.country)
      await applyAddressCountries(tx, [{ deviceId: device.id, country: options.country, at: now }]);
    const facts = {
      ...{ claimId: claim.id, instanceId, supersededInstanceId: superseded },
      ...(right?.reEnrolmentId && { reEnrolmentId: right.reEnrolmentId }),
    };
    await recordAudit(tx, [
      ...(created
        ? [
            {
              type: 'device.created' as const,
              actor,
              deviceId: device.id,
              at: now,
              data: { claimId: claim.id },
            },
          ]
        : []),
      {
        type: superseded === null ? 'device.enrolled' : 'device.re-enrolled',
        actor,
        deviceId: device.id,
        at: now,
        data: facts,
      },
    ]);
    return {
      deviceId: device.id,
      instanceId,
      certificate,
      created,
      reEnrolled: superseded !== null,
    };
  });
  if ('refusal' in outcome) {
    deps.changes.publish([...outcome.changes]);
    throw outcome.refusal;
  }
  const enrolment = outcome;
  deps.changes.publish([
    // Whoever is still connected as the old instance holds a certificate that counts no more.
    ...(enrolment.reEnrolled
      ? [{ kind: 'devices-blocked' as const, deviceIds: [enrolment.deviceId] }]
      : []),
    { kind: 'device-changed', deviceIds: [enrolment.deviceId] },
    { kind: 'audit-trail', deviceIds: [enrolment.deviceId] },
  ]);
  if (enrolment.reEnrolled) {
    // The new instance knows nothing of what the old one had taken.
    deps.changes.publish(await terminateInvocations(deps.database, [enrolment.deviceId]));
  }
  return enrolment;
}

/**
 * The right to become a device on record, with the approval that was used up for it; else the answer to a machine that
 * now asks for one, or whose claim has ended for this device. Asking costs no use of the claim.
 */
async function takeRight(
  tx: Transaction,
  asking: {
    readonly claim: ClaimRecord;
    readonly device: DeviceRecord;
    readonly request: EnrolmentRequest;
  },
  options: EnrolDeviceOptions<CertificateFacts>,
): Promise<{ readonly reEnrolmentId: string | null } | RefusedEnrolment> {
  const { claim, device, request } = asking;
  const right = await requireRightToEnrol(tx, { claim, device }, options.former);
  const { address } = options;
  const ended = await endClaimOfDevice(tx, claim, { deviceId: device.id, address });
  if (ended !== null) return ended;
  if (right === 'held') {
    await endReEnrolment(tx, device.id);
    return { reEnrolmentId: null };
  }
  const keyFingerprint = await options.readKeyFingerprint();
  const reEnrolmentId = await takeApproval(tx, device.id, keyFingerprint);
  if (reEnrolmentId !== null) return { reEnrolmentId };
  await tx.execute(sql`update claim set uses_left = uses_left + 1 where id = ${claim.id}`);
  const asked = { ...device, serialNumber: device.serial_number };
  return askToReEnrol(tx, asked, { request, keyFingerprint, address, claimId: claim.id });
}

async function spendClaim(tx: Transaction, token: string, now: Date): Promise<ClaimRecord> {
  // One statement: whoever comes second waits for the row and then sees what is left of it.
  const spent = await tx.execute<ClaimRecord>(sql`
    update claim set uses_left = uses_left - 1
    where token_hash = ${hashClaimToken(token)} and uses_left > 0 and expires_at > ${now.toISOString()}::timestamptz
    returning id, model, owner_id, country, labels, only_recorded, device_id, uses, elevation_id,
      ended_at is not null as ended`);
  const claim = spent.rows[0];
  const isInForce =
    claim !== undefined &&
    (claim.elevation_id === null || (await lockRunningElevation(tx, claim.elevation_id)));
  if (!isInForce) throw refuse('claim-not-in-force');
  return claim;
}

async function findOrCreateDevice(
  tx: Transaction,
  claim: ClaimRecord,
  request: EnrolmentRequest,
): Promise<{ device: DeviceRecord; created: boolean }> {
  const parsed = serialNumberSchema.safeParse(request.serialNumber);
  const serialNumber = parsed.success ? parsed.data : null;
  if (claim.device_id !== null) {
    const device = await lockDevice(tx, sql`id = ${claim.device_id}`);
    if (device === undefined) throw refuse('claim-without-device');
    if (
      device.serial_number !== null &&
      serialNumber !== null &&
      device.serial_number !== serialNumber
    ) {
      throw refuse('claim-of-other-serial-number');
    }
    return { device, created: false };
  }
  const known =
    serialNumber === null ? undefined : await lockDevice(tx, sql`serial_number = ${serialNumber}`);
  if (known !== undefined) return { device: known, created: false };
  if (claim.only_recorded) throw refuse('claim-not-covering');
  return createDevice(tx, claim, { request, serialNumber });
}

async function createDevice(
  tx: Transaction,
  claim: ClaimRecord,
  { request, serialNumber }: { request: EnrolmentRequest; serialNumber: string | null },
): Promise<{ device: DeviceRecord; created: boolean }> {
  const id = newId();
  const name = request.hostName.trim().slice(0, 128) || serialNumber || id;
  const inserted = await tx.execute<DeviceRecord>(sql`
    insert into device (id, serial_number, serial_rank, name, model, owner_id, country, labels, lifecycle)
    values (${id}, ${serialNumber}, ${serialRankOf(serialNumber, id)}, ${name}, ${claim.model ?? request.model},
      ${claim.owner_id}, ${claim.country}, ${JSON.stringify(claim.labels)}::jsonb, 'pending')
    on conflict (serial_number) do nothing
    returning id, name, serial_number, model, country, labels, lifecycle`);
  const device = inserted.rows[0];
  if (device !== undefined) return { device, created: true };
  // Someone else enrolled the same serial number in this very moment.
  const other = await lockDevice(tx, sql`serial_number = ${serialNumber}`);
  if (other === undefined)
    throw new PortalError('unknown', { detail: 'device vanished during enrolment' });
  return { device: other, created: false };
}

async function lockDevice(
  tx: Transaction,
  where: ReturnType<typeof sql>,
): Promise<DeviceRecord | undefined> {
  const found = await tx.execute<DeviceRecord>(
    sql`select id, name, serial_number, model, country, labels, lifecycle from device where ${where} for update`,
  );
  return found.rows[0];
}

async function writeInstance(
  tx: Transaction,
  deviceId: string,
  facts: {
    request: EnrolmentRequest;
    certificate: CertificateFacts;
    address: string;
    now: Date;
  },
): Promise<{ instanceId: string; superseded: string | null }> {
  const { request, certificate, now } = facts;
  const old = await tx.execute<{ id: string }>(sql`
    update device_instance n set state = 'superseded',
      last_ping_at = coalesce((select last_seen_at from device_status s where s.device_id = n.device_id), n.last_ping_at)
    where device_id = ${deviceId} and state = 'current' returning id`);
  const instanceId = newInstanceId();
  await tx.execute(sql`
    insert into device_instance (id, device_id, state, platform_type, platform_name, platform_version, architecture,
      agent_version, host_name, ip_address, enrolled_at, certificate_fingerprint, certificate_starts_at,
      certificate_ends_at)
    values (${instanceId}, ${deviceId}, 'current', ${request.platformType}, ${request.platformName},
      ${request.platformVersion}, ${request.architecture}, ${request.agentVersion}, ${request.hostName},
      ${facts.address}, ${now.toISOString()}::timestamptz, ${certificate.fingerprint},
      ${certificate.startsAt.toISOString()}::timestamptz, ${certificate.endsAt.toISOString()}::timestamptz)`);
  return { instanceId, superseded: old.rows[0]?.id ?? null };
}
