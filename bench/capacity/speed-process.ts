/** How fast this machine computes while something else is measured: other users of its processors slow all programs. */

import { createHash } from 'node:crypto';
import { answerRequests } from './helper-process.ts';

/** `start` begins a time, and `read` answers the CPU time of one computation in it, in microseconds. */
export type SpeedOrder = { readonly kind: 'start' | 'read' };

const EVERY_MS = 200;
const ROWS = 1_000;

const rows = Array.from({ length: ROWS }, (_, index) => ({
  ...{ id: `device-${index}`, at: '2026-01-01T00:00:00.000Z' },
  facts: { disk: index % 100, service: 'kiosk', labels: [index, index + 1, index + 2] },
}));

let computations = 0;
let cpuMicroseconds = 0;

/** What servers spend their time with: texts, objects, and digests. */
function compute(): void {
  const before = process.cpuUsage();
  const read = JSON.parse(JSON.stringify(rows)) as typeof rows;
  const sorted = read.toSorted((one, other) => one.facts.disk - other.facts.disk);
  createHash('sha256').update(JSON.stringify(sorted)).digest();
  const { user, system } = process.cpuUsage(before);
  computations += 1;
  cpuMicroseconds += user + system;
}

setInterval(compute, EVERY_MS);

answerRequests<SpeedOrder>(async ({ kind }) => {
  if (kind === 'read') return cpuMicroseconds / computations;
  computations = 0;
  cpuMicroseconds = 0;
  return 0;
});
