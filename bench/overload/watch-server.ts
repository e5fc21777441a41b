/** Runs in the measured server: reports event loop delay and memory on request, and resets. */

import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface ServerReading {
  /** Milliseconds. */
  readonly delayP99: number;
  readonly delayMax: number;
  /** MiB */
  readonly memory: number;
}

const RESOLUTION_MS = 5;
const NS_PER_MS = 1e6;
const BYTES_PER_MIB = 1_048_576;

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

process.on('message', (message) => {
  if (message !== 'read') return;
  const reading: ServerReading = {
    delayP99: delay.percentile(99) / NS_PER_MS - RESOLUTION_MS,
    delayMax: delay.max / NS_PER_MS - RESOLUTION_MS,
    memory: process.memoryUsage.rss() / BYTES_PER_MIB,
  };
  delay.reset();
  process.send?.(reading);
});
process.channel?.unref();
