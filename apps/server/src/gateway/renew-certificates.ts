import { sql } from 'drizzle-orm';
import { renewMessageSchema } from '@deviceportal/device-protocol/messages';
import { PortalError } from '@deviceportal/contract/errors';
import { recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { UpMessage } from './device-transport.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import { parseUpMessage } from './parse-up-message.ts';
import type { RefusalRecorder } from './record-refusals.ts';

const QUIET_MS = 30_000;

/** Answers `up/renew`: a new certificate for the device's current instance, on its own connection. */
export class CertificateRenewal {
  readonly #deps: GatewayDependencies;
  readonly #refusals: Pick<RefusalRecorder, 'record'>;
  readonly #lastMs = new Map<string, number>();

  constructor(deps: GatewayDependencies, refusals: Pick<RefusalRecorder, 'record'>) {
    this.#deps = deps;
    this.#refusals = refusals;
  }

  async take({ deviceId, payload }: Pick<UpMessage, 'deviceId' | 'payload'>): Promise<void> {
    const parsed = parseUpMessage(renewMessageSchema, payload);
    if (!parsed.message) {
      this.#refusals.record({
        deviceId,
        reason: 'broken-payload',
        detail: `renew: ${parsed.fault}`,
      });
      return;
    }
    const nowMs = this.#deps.clock().getTime();
    if (nowMs - (this.#lastMs.get(deviceId) ?? 0) < QUIET_MS) return;
    if (this.#lastMs.size > 50_000) this.#lastMs.clear();
    this.#lastMs.set(deviceId, nowMs);
    try {
      await this.#renew(deviceId, parsed.message);
    } catch (error) {
      if (!(error instanceof PortalError)) {
        this.#lastMs.delete(deviceId);
        this.#deps.logger.warn({ err: error, deviceId }, 'a certificate was not renewed');
        return;
      }
      const detail = `renew: ${error.issues[0]?.message ?? error.message}`;
      this.#refusals.record({ deviceId, reason: 'broken-payload', detail });
    }
  }

  async #renew(
    deviceId: string,
    request: { readonly instanceId: string; readonly certificateRequest: string },
  ): Promise<void> {
    const { database, authority, transport, changes } = this.#deps;
    const { instanceId } = request;
    const issued = await inTransaction(database, async (tx) => {
      const found = await tx.execute<{ name: string }>(sql`
        select device.name from device_instance as instance join device on device.id = instance.device_id
        where instance.id = ${instanceId} and instance.device_id = ${deviceId}
          and instance.state = 'current' and device.lifecycle in ('active', 'pending')`);
      const [device] = found.rows;
      if (!device) return undefined;
      const certificate = await authority.sign(request.certificateRequest, {
        deviceId,
        instanceId,
      });
      const { fingerprint, endsAt } = certificate;
      await recordAudit(tx, [
        {
          type: 'device.certificate-renewed',
          actor: { kind: 'device', id: deviceId, name: device.name, address: null },
          deviceId,
          data: { instanceId, fingerprint, endsAt: endsAt.toISOString() },
        },
      ]);
      return certificate;
    });
    if (!issued) {
      this.#refusals.record({
        deviceId,
        reason: 'not-admitted',
        detail: 'renew: no current instance',
      });
      return;
    }
    const payload = JSON.stringify({
      certificate: issued.certificate,
      authorities: authority.authorities,
    });
    transport.publish([{ deviceId, channel: 'certificate', payload, qos: 1 }]);
    changes.publish([{ kind: 'audit-trail', deviceIds: [deviceId] }]);
  }
}
