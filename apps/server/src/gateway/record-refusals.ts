import { findDeviceNames } from '../devices/data/find-device-names.ts';
import { recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import { isTransientFault } from '../platform/database/errors/database-fault.ts';
import type { Refusal } from './device-transport.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import { MicroBatcher } from './micro-batcher.ts';
import { storableText } from './storable-text.ts';

/** One event a minute for each device and reason, so that a faulty device does not fill the audit trail. */
const QUIET_MS = 60_000;
const MAX_REMEMBERED = 20_000;
/** The device id of a certificate or topic can be any text. */
const UUID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Records `device.refused` for rejected attempts of devices. */
export class RefusalRecorder implements AsyncDisposable {
  readonly #deps: Pick<GatewayDependencies, 'database' | 'changes' | 'logger' | 'clock' | 'meter'>;
  readonly #seen = new Map<string, { readonly atMs: number; suppressed: number }>();
  readonly #batcher: MicroBatcher<Refusal & { readonly suppressed: number }>;

  constructor(
    deps: Pick<GatewayDependencies, 'database' | 'changes' | 'logger' | 'clock' | 'meter'>,
  ) {
    this.#deps = deps;
    this.#batcher = new MicroBatcher({
      waitMs: 20,
      maxItems: 500,
      handle: (refusals) => this.#write(refusals),
    });
  }

  record(refusal: Refusal): void {
    this.#deps.meter?.refused(refusal.reason);
    const nowMs = this.#deps.clock().getTime();
    const key = `${refusal.deviceId} ${refusal.reason}`;
    const before = this.#seen.get(key);
    if (before && nowMs - before.atMs < QUIET_MS) {
      before.suppressed += 1;
      return;
    }
    if (this.#seen.size >= MAX_REMEMBERED) this.#seen.clear();
    this.#seen.set(key, { atMs: nowMs, suppressed: 0 });
    const { deviceId, detail } = refusal;
    void this.#batcher.add({
      ...refusal,
      deviceId: storableText(deviceId),
      ...(detail !== undefined && { detail: storableText(detail) }),
      suppressed: before?.suppressed ?? 0,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#batcher[Symbol.asyncDispose]();
  }

  async #write(refusals: readonly (Refusal & { readonly suppressed: number })[]): Promise<void> {
    const { database, changes, logger } = this.#deps;
    try {
      const known = await inTransaction(database, async (tx) => {
        const ids = refusals.map(({ deviceId }) => deviceId).filter((id) => UUID_PATTERN.test(id));
        const names = await findDeviceNames(tx, ids);
        const ours = refusals.filter(({ deviceId }) => names.has(deviceId));
        await recordAudit(
          tx,
          ours.map(({ deviceId, reason, address, detail, suppressed }) => ({
            type: 'device.refused',
            actor: {
              kind: 'device',
              id: deviceId,
              name: names.get(deviceId) ?? '',
              address: address ?? null,
            },
            deviceId,
            data: {
              reason,
              ...(detail !== undefined && { detail }),
              ...(suppressed > 0 && { suppressed }),
            },
          })),
        );
        return [...names.keys()];
      });
      if (known.length > 0) changes.publish([{ kind: 'audit-trail', deviceIds: known }]);
    } catch (error) {
      if (!isTransientFault(error)) logger.error({ err: error }, 'rejection recording failed');
      else logger.warn({ err: error }, 'rejections lost while the database was unavailable');
    }
  }
}
