export const AIR_BLAST_CANARY_MAX = 50;

/**
 * At least one, at most 50, and always fewer than the devices, so that some devices are protected
 * by the canaries. A single device has no canary and is changed in the rollout stage.
 */
export function canaryCount(devices: number, percent: number): number {
  if (devices <= 1) return 0;
  const wanted = Math.max(1, Math.ceil((devices * percent) / 100));
  return Math.min(AIR_BLAST_CANARY_MAX, devices - 1, wanted);
}

/**
 * Number of devices of each wave: its percentage of all devices, at least one. The last wave
 * includes the remainder.
 */
export function waveSizes(devices: number, percents: readonly number[]): number[] {
  const sizes: number[] = [];
  let left = devices;
  for (const [index, percent] of percents.entries()) {
    if (left === 0) break;
    const isLast = index === percents.length - 1;
    const size = isLast ? left : Math.min(left, Math.ceil((devices * percent) / 100));
    sizes.push(size);
    left -= size;
  }
  return sizes;
}

/** The devices of each wave. */
export function splitIntoWaves(
  deviceIds: readonly string[],
  percents: readonly number[],
): string[][] {
  let from = 0;
  return waveSizes(deviceIds.length, percents).map((size) => {
    from += size;
    return deviceIds.slice(from - size, from);
  });
}
