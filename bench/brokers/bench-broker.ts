import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchFleet } from '../device-fixture.ts';

export interface BenchBroker {
  /** Devices connect to them in turn. */
  readonly brokerUrls: readonly string[];
  /** With which devices subscribe. */
  readonly subscriptionQos: 0 | 1;
  /** Of all its processes. */
  readonly residentBytes: () => Promise<number>;
}

export interface BenchBrokerOptions {
  readonly resources: AsyncDisposableStack;
  readonly directory: string;
  readonly fleet: BenchFleet;
}

const SETTLE_MS = 5_000;

/** Resolves when memory has settled after the last connections. */
export const settle = (): Promise<void> => sleep(SETTLE_MS);

/** Memory of other processes. */
export async function residentBytesOf(pids: readonly (number | undefined)[]): Promise<number> {
  await settle();
  const statuses = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/status`, 'utf8')));
  return statuses.reduce(
    (sum, status) => sum + Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1_024,
    0,
  );
}
