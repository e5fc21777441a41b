import { setImmediate } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { keysFor, type DeviceKeys } from './announce-keys.ts';
import type { GatewayDependencies } from '../gateway-dependencies.ts';

const PAGE = 1_000;
/** Before every device. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Tells connected devices when a key ring has changed. Devices that are offline are told when they connect. */
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
    const { rows } = await database.orm.execute<Connected>(sql`
      select i.device_id as "deviceId", i.id, i.run_key_ids as runs, i.release_key_ids as releases
      from device_instance i join device_status s on s.device_id = i.device_id
      where i.state = 'current' and s.connectivity in ('online', 'degraded') and i.device_id > ${after}::uuid
      order by i.device_id limit ${PAGE}`);
    const births = rows.map(({ deviceId, id, runs, releases }) => ({
      deviceId,
      status: {
        instanceId: id,
        runKeys: runs ?? undefined,
        releaseKeys: releases ?? undefined,
      },
    }));
    transport.publish(await keysFor(births, deviceKeys, clock()));
    await setImmediate();
    return rows.length < PAGE ? null : (rows.at(-1)?.deviceId ?? null);
  }
}

type Connected = Record<string, unknown> & {
  readonly deviceId: string;
  readonly id: string;
  readonly runs: string[] | null;
  readonly releases: string[] | null;
};

const stateOf = ({ runs, releases }: DeviceKeys): string => `${runs.sequence} ${releases.sequence}`;
