import type { ClaimedInvocation } from '../data/execution/claim-queries.ts';

/** An invocation to stop, and its device. */
export interface StoppedInvocation {
  readonly id: string;
  readonly deviceId: string;
}

/**
 * What brings claimed invocations to their devices: the agent of Device Portal, or Run Command of AWS Systems Manager.
 * The dispatcher decides what is sent when; an engine only sends. Results arrive as journal entries.
 */
export interface CommandEngine {
  /**
   * Sends invocations of one run, which the caller has claimed. The same ones are passed again while they are not
   * answered, and must not be executed twice.
   */
  readonly send: (runId: string, claimed: readonly ClaimedInvocation[]) => Promise<void>;
  /** Asks devices to stop invocations. Repeated while they are not answered. */
  readonly cancel: (stopped: readonly StoppedInvocation[]) => Promise<void>;
}

/** An engine that runs commands only on devices of its own. */
export interface DeviceEngine extends CommandEngine {
  /** Those of the devices that belong to it. */
  readonly devicesAmong: (deviceIds: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** Sends to each device with the engine that it belongs to. */
export const enginePerDevice = (agent: CommandEngine, other: DeviceEngine): CommandEngine => ({
  async send(runId, claimed) {
    const [own, others] = await split(other, claimed);
    await Promise.all([agent.send(runId, own), others.length > 0 && other.send(runId, others)]);
  },
  async cancel(stopped) {
    const [own, others] = await split(other, stopped);
    await Promise.all([agent.cancel(own), others.length > 0 && other.cancel(others)]);
  },
});

async function split<One extends { readonly deviceId: string }>(
  engine: DeviceEngine,
  all: readonly One[],
): Promise<readonly [One[], One[]]> {
  if (all.length === 0) return [[], []];
  const theirs = await engine.devicesAmong(all.map(({ deviceId }) => deviceId));
  return [
    all.filter(({ deviceId }) => !theirs.has(deviceId)),
    all.filter(({ deviceId }) => theirs.has(deviceId)),
  ];
}
