import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const text = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').then(
    (content) => content.trim(),
    () => undefined,
  );

const entries = (path: string): Promise<readonly string[]> => readdir(path).catch(() => []);

/** A sensor that is not connected reports a value far outside. */
const POSSIBLE_CELSIUS = { above: -60, below: 200 };

/** The warmest thermal zone, in degrees Celsius. */
export async function readTemperature(sys: string): Promise<number | undefined> {
  const folder = join(sys, 'class/thermal');
  const zones = (await entries(folder)).filter((name) => name.startsWith('thermal_zone'));
  const read = await Promise.all(zones.map((zone) => text(join(folder, zone, 'temp'))));
  const found = read
    .flatMap((value) => (value === undefined || value === '' ? [] : [Number(value) / 1_000]))
    .filter((value) => value > POSSIBLE_CELSIUS.above && value < POSSIBLE_CELSIUS.below);
  return found.length === 0 ? undefined : Math.max(...found);
}

/** The charge of the system's batteries, in percent; not of connected keyboards and the like. */
export async function readBattery(sys: string): Promise<number | undefined> {
  const folder = join(sys, 'class/power_supply');
  const charges: number[] = [];
  for (const name of await entries(folder)) {
    const [type, scope, capacity] = await Promise.all(
      ['type', 'scope', 'capacity'].map((file) => text(join(folder, name, file))),
    );
    const charge = Number(capacity || Number.NaN);
    if (type === 'Battery' && scope !== 'Device' && charge >= 0 && charge <= 100)
      charges.push(charge);
  }
  if (charges.length === 0) return undefined;
  return charges.reduce((sum, charge) => sum + charge, 0) / charges.length;
}

/** Level in dBm of the strongest wireless interface in /proc/net/wireless. */
export function readSignal(wireless: string): number | undefined {
  const levels = wireless.split('\n').flatMap((line) => {
    const level = Number(/^\s*\S+:\s+\S+\s+\S+\s+(-?\d+)/.exec(line)?.[1] ?? Number.NaN);
    // Some drivers report dBm as an unsigned byte.
    const dbm = level > 63 ? level - 256 : level;
    return dbm < 0 ? [dbm] : [];
  });
  return levels.length === 0 ? undefined : Math.max(...levels);
}
