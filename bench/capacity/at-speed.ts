import { usageOf } from './model/usage.ts';
import type { Measured } from './workplace.ts';

/** CPU time of one computation while these were measured: the median, in microseconds. */
export function medianComputation(measured: readonly Measured[]): number {
  const sorted = measured
    .map(({ computationMicroseconds }) => computationMicroseconds)
    .toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** A sample with the CPU times that it would have had on a machine that computes at this speed. */
export const atSpeed = (sample: Measured, computationMicroseconds: number): Measured => ({
  ...sample,
  used: usageOf((quantity) =>
    quantity.endsWith('CpuMs')
      ? (sample.used[quantity] * computationMicroseconds) / sample.computationMicroseconds
      : sample.used[quantity],
  ),
});
