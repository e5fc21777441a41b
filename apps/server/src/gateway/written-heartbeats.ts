import type { HeartbeatMessage } from '@deviceportal/device-protocol/messages';

interface Heartbeat {
  readonly deviceId: string;
  readonly heartbeat: HeartbeatMessage;
  readonly at: Date;
}

const WRITE_INTERVAL_MS = 60_000;

/**
 * Decides which heartbeats are written to the status of their device: one per minute, and every one with news. Each
 * device has its own part of the minute, which is the same on all servers, so that several servers do not write more.
 */
export class WrittenHeartbeats {
  readonly #revision: string;
  readonly #written = new Map<string, string>();

  /** @param revision of the connection settings, which devices with others are told when theirs is written */
  constructor(revision: string) {
    this.#revision = revision;
  }

  mustWrite({ deviceId, heartbeat, at }: Heartbeat): boolean {
    const everyMs = (heartbeat.everySeconds ?? 60) * 1_000;
    if (everyMs >= WRITE_INTERVAL_MS || heartbeat.connectionRevision !== this.#revision)
      return true;
    if (this.#written.get(deviceId) !== contentOf(heartbeat)) return true;
    const partOfMinute = (at.getTime() + offsetOf(deviceId)) % WRITE_INTERVAL_MS;
    return partOfMinute < everyMs;
  }

  note(written: readonly Pick<Heartbeat, 'deviceId' | 'heartbeat'>[]): void {
    for (const { deviceId, heartbeat } of written)
      this.#written.set(deviceId, contentOf(heartbeat));
  }

  /** Their status was changed, or their heartbeat was rejected: the next one is written. */
  forget(deviceIds: readonly string[]): void {
    for (const deviceId of deviceIds) this.#written.delete(deviceId);
  }
}

const contentOf = ({ instanceId, everySeconds, failing }: HeartbeatMessage): string =>
  JSON.stringify([instanceId, everySeconds, failing]);

/** The last digits of a UUID are random. */
const offsetOf = (deviceId: string): number =>
  Number.parseInt(deviceId.slice(-8), 16) % WRITE_INTERVAL_MS;
