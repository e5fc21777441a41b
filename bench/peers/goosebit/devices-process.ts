/** Simulated devices of gooseBit: each polls hawkBit's Direct Device Integration API, all in this process. */

import { answerRequests } from '../../capacity/helper-process.ts';
import { PollingDevice } from './polling-device.ts';

export type PollingOrder =
  /** Registers the devices, which then poll at the interval of the server, spread evenly. */
  | { readonly kind: 'connect'; readonly url: string; readonly count: number }
  /** All poll without waiting for their next time. */
  | { readonly kind: 'poll-now' };

/** As the simulated devices of the other benchmarks. */
const AT_ONCE = 60;

const devices: PollingDevice[] = [];

async function forEach(act: (device: PollingDevice) => Promise<void>): Promise<number> {
  const waiting = [...devices];
  const worker = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await act(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return devices.length;
}

answerRequests<PollingOrder>(async (order) => {
  if (order.kind === 'poll-now') return forEach((device) => device.poll());
  for (let index = 0; index < order.count; index += 1)
    devices.push(new PollingDevice(order.url, `device-${String(index + 1).padStart(5, '0')}`));
  // The first one makes the server store the type of hardware, which it would otherwise store several times.
  await devices[0]?.register();
  const count = await forEach((device) => device.register());
  for (const [index, device] of devices.entries()) device.pollRegularly(index / devices.length);
  return count;
});
