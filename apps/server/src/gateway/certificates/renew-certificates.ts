import { renewMessageSchema } from '@deviceportal/device-protocol/messages';
import { RENEWAL_QUOTA } from '@deviceportal/contract/device-limits';
import { PortalError } from '@deviceportal/contract/errors';
import { recordAudit } from '../../audit-trail/record-audit.ts';
import {
  lockForRenewal,
  setLastCertificate,
} from '../../devices/data/connections/served-instances.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { TokenBuckets } from '../../platform/token-buckets.ts';
import type { UpMessage } from '../device-transport.ts';
import type { GatewayDependencies } from '../gateway-dependencies.ts';
import { parseUpMessage } from '../parse-up-message.ts';
import type { Recorders } from '../record-overflow.ts';

/** Handles `up/renew`: issues a new certificate for the device's current instance, on its own connection. */
export class CertificateRenewal {
  readonly #deps: GatewayDependencies;
  readonly #recorders: Recorders;
  readonly #quota = new TokenBuckets(RENEWAL_QUOTA);

  constructor(deps: GatewayDependencies, recorders: Recorders) {
    this.#deps = deps;
    this.#recorders = recorders;
  }

  async take({ deviceId, payload }: Pick<UpMessage, 'deviceId' | 'payload'>): Promise<void> {
    const parsed = parseUpMessage(renewMessageSchema, payload);
    if (!parsed.message) {
      this.#recorders.refusals.record({
        deviceId,
        reason: 'broken-payload',
        detail: `renew: ${parsed.fault}`,
      });
      return;
    }
    const quota = this.#quota.of(deviceId);
    if (!quota.take()) {
      this.#recorders.overflow.note(deviceId, 'renewals');
      return;
    }
    try {
      await this.#renew(deviceId, parsed.message);
    } catch (error) {
      if (!(error instanceof PortalError)) {
        quota.giveBack();
        this.#deps.logger.warn({ err: error, deviceId }, 'certificate renewal failed');
        return;
      }
      const detail = `renew: ${error.issues[0]?.message ?? error.message}`;
      this.#recorders.refusals.record({ deviceId, reason: 'broken-payload', detail });
    }
  }

  async #renew(
    deviceId: string,
    request: { readonly instanceId: string; readonly certificateRequest: string },
  ): Promise<void> {
    const { database, authority, transport, changes, registry } = this.#deps;
    const { instanceId } = request;
    const issued = await inTransaction(database, async (tx) => {
      const device = await lockForRenewal(tx, { instanceId, deviceId });
      if (!device) return undefined;
      const certificate = await authority.sign(request.certificateRequest, {
        deviceId,
        instanceId,
        after: device.after,
      });
      await registry?.register(tx, certificate, { deviceId, instanceId });
      const { fingerprint, startsAt, endsAt } = certificate;
      await setLastCertificate(tx, instanceId, startsAt);
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
      this.#recorders.refusals.record({
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
