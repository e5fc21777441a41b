import { setImmediate } from 'node:timers/promises';
import { listTrustedKeysAfter } from '../../devices/data/connections/connected-devices.ts';
import { keysFor, type DeviceKeys } from './announce-keys.ts';
import type { GatewayDependencies } from '../gateway-dependencies.ts';

const PAGE = 1_000;
/** Sorts before every device id. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Notifies connected devices when a key ring has changed. Offline devices are notified when they connect. */
export class KeyAnnouncer {
  readonly #deps: Pick<GatewayDependencies, 'database' | 'transport' | 'deviceKeys' | 'clock'>;
  #announced: string;

  constructor(deps: Pick<GatewayDependencies, 'database' | 'transport' | 'deviceKeys' | 'clock'>) {
    this.#deps = deps;
    this.#announced = stateOf(deps.deviceKeys);
  }

  /** Sends nothing while nothing has changed. */
  async round(): Promise<void> {
    const { deviceKeys } = this.#deps;
    const state = stateOf(deviceKeys);
    if (state === this.#announced) return;
    let after: string | null = FIRST;
    while (after !== null) after = await this.#announcePage(after);
    this.#announced = state;
  }

  /** @returns the last device of the page; null after the last page */
  async #announcePage(after: string): Promise<string | null> {
    const { database, transport, deviceKeys, clock } = this.#deps;
    const connected = await listTrustedKeysAfter(database.orm, after, PAGE);
    const births = connected.map(({ deviceId, instanceId, runKeyIds, releaseKeyIds }) => ({
      deviceId,
      status: {
        instanceId,
        runKeys: runKeyIds ?? undefined,
        releaseKeys: releaseKeyIds ?? undefined,
      },
    }));
    transport.publish(await keysFor(births, deviceKeys, clock()));
    await setImmediate();
    return connected.length < PAGE ? null : (connected.at(-1)?.deviceId ?? null);
  }
}

const stateOf = ({ runs, releases }: DeviceKeys): string => `${runs.sequence} ${releases.sequence}`;
