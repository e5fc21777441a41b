import { recordAudit } from '../../audit-trail/record-audit.ts';
import { reviveProven } from '../../devices/data/apply-connectivity.ts';
import { findNotConnected } from '../../devices/data/connections/connected-devices.ts';
import { notifyDevicesBack } from '../../notifications/notify-devices-back.ts';
import type { Change } from '../../platform/change-feed.ts';
import { inTransaction } from '../../platform/database/database.ts';
import type { UpMessage } from '../device-transport.ts';
import type { GatewayDependencies } from '../gateway-dependencies.ts';
import { auditOf, changesOf, findOfEnded } from '../ingest-status.ts';
import { MicroBatcher } from '../micro-batcher.ts';

const BATCH_WAIT_MS = 250;
const MAX_BATCH = 2_000;
/** About 10 MB. */
const MAX_KNOWN = 100_000;

interface Heard {
  readonly deviceId: string;
  readonly receivedAt: Date;
}

/**
 * A device that sends something is connected. Sets devices to online whose birth message or connection event AWS IoT has
 * lost. Each device is looked up once after a change of its state.
 */
export class TrafficPresence implements AsyncDisposable {
  readonly #deps: Pick<GatewayDependencies, 'database' | 'changes' | 'logger'>;
  readonly #onHeard: (deviceIds: readonly string[]) => void;
  /** Devices that were online, or set to it, when they were last looked up. */
  readonly #known = new Set<string>();
  readonly #changes: Disposable;
  readonly #batcher: MicroBatcher<Heard>;

  /** @param onHeard called with the devices that were set to online */
  constructor(
    deps: Pick<GatewayDependencies, 'database' | 'changes' | 'logger'>,
    onHeard: (deviceIds: readonly string[]) => void,
  ) {
    this.#deps = deps;
    this.#onHeard = onHeard;
    this.#changes = deps.changes.subscribe((change) => {
      if (change.kind !== 'device-status') return;
      for (const deviceId of change.deviceIds) this.#known.delete(deviceId);
    });
    this.#batcher = new MicroBatcher({
      waitMs: BATCH_WAIT_MS,
      maxItems: MAX_BATCH,
      handle: (heard) => this.#handle(heard),
    });
  }

  /** A message of the device's current instance was accepted. */
  note({ deviceId, receivedAt }: Pick<UpMessage, 'deviceId' | 'receivedAt'>): void {
    if (receivedAt === undefined || this.#known.has(deviceId)) return;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.add(deviceId);
    void this.#batcher.add({ deviceId, receivedAt });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#changes[Symbol.dispose]();
    await this.#batcher[Symbol.asyncDispose]();
  }

  async #handle(heard: readonly Heard[]): Promise<void> {
    const { database, changes, logger } = this.#deps;
    try {
      const { revived, told } = await inTransaction(database, async (tx) => {
        const late = await findOfEnded(tx, heard);
        const proofs = heard.filter((each) => !late.has(each));
        const changed = await reviveProven(
          tx,
          proofs.map(({ deviceId, receivedAt }) => ({ deviceId, at: receivedAt })),
        );
        await recordAudit(tx, changed.flatMap(auditOf));
        // A later message may prove what these do not.
        for (const deviceId of await findNotConnected(tx, idsOf(heard)))
          this.#known.delete(deviceId);
        return { revived: changed, told: await notifyDevicesBack(tx, idsOf(changed)) };
      });
      if (revived.length === 0) return;
      const news: readonly Change[] = [...changesOf(revived), ...told];
      changes.publish(news);
      this.#onHeard(idsOf(revived));
    } catch (error) {
      for (const { deviceId } of heard) this.#known.delete(deviceId);
      logger.warn({ err: error }, 'devices heard from not set to online');
    }
  }
}

const idsOf = (list: readonly { readonly deviceId: string }[]): string[] =>
  list.map(({ deviceId }) => deviceId);
