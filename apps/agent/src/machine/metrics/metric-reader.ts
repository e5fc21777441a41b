/**
 * What the operating system counts, as metrics. Rates are relative to the reading before. On Linux
 * from /proc and /sys; elsewhere what Node offers. What cannot be read is absent.
 */

import { readFile, statfs } from 'node:fs/promises';
import { cpus, freemem, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import type { MetricValues } from '@deviceportal/contract/device-metrics';
import { readBattery, readSignal, readTemperature } from './linux-sensors.ts';
import { countRestarts, readServices, type Services } from './service-restarts.ts';

export interface MetricReaderOptions {
  /** Whose file system is measured. */
  readonly directory: string;
  readonly platform?: NodeJS.Platform;
  /** Where `proc` and `sys` are. */
  readonly root?: string;
  /** Monotonic, in milliseconds. */
  readonly now?: () => number;
}

interface Counters {
  readonly atMs: number;
  readonly cpu: { readonly busy: number; readonly all: number } | undefined;
  readonly network: { readonly received: number; readonly sent: number } | undefined;
  readonly services: Services | undefined;
}

type Values = { -readonly [Name in keyof MetricValues]: MetricValues[Name] | undefined };

export class MetricReader {
  readonly #options: MetricReaderOptions;
  readonly #isLinux: boolean;
  readonly #root: string;
  readonly #now: () => number;
  #before: Counters | undefined;

  constructor(options: MetricReaderOptions) {
    this.#options = options;
    this.#isLinux = (options.platform ?? process.platform) === 'linux';
    this.#root = options.root ?? '/';
    this.#now = options.now ?? (() => performance.now());
  }

  async read(): Promise<MetricValues> {
    const [counters, memory, disk, sensors] = await Promise.all([
      this.#count(),
      this.#readMemory(),
      usedPercentOf(this.#options.directory),
      this.#readSensors(),
    ]);
    const rates = this.#before === undefined ? {} : ratesBetween(this.#before, counters);
    this.#before = counters;
    return withoutUndefined({
      ...{ ...rates, ...memory, ...sensors },
      ...{ diskUsedPercent: disk, loadAverage: await this.#readLoad() },
    });
  }

  async #count(): Promise<Counters> {
    const atMs = this.#now();
    if (!this.#isLinux)
      return { atMs, cpu: cpuTimesOfNode(), network: undefined, services: undefined };
    const [stat, network, services] = await Promise.all([
      this.#text('proc/stat'),
      this.#text('proc/net/dev'),
      readServices(join(this.#root, 'proc')),
    ]);
    return {
      ...{ atMs, services },
      cpu: stat === undefined ? undefined : parseCpu(stat),
      network: network === undefined ? undefined : parseTraffic(network),
    };
  }

  async #readMemory(): Promise<Values> {
    if (!this.#isLinux) return { memoryUsedPercent: share(totalmem() - freemem(), totalmem()) };
    const text = await this.#text('proc/meminfo');
    const kilobytes = (name: string): number | undefined => {
      const found = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text ?? '')?.[1];
      return found === undefined ? undefined : Number(found);
    };
    const [all, free] = [kilobytes('MemTotal'), kilobytes('MemAvailable')];
    const [swap, freeSwap] = [kilobytes('SwapTotal'), kilobytes('SwapFree')];
    return {
      memoryUsedPercent: all && free !== undefined ? share(all - free, all) : undefined,
      swapUsedPercent: swap && freeSwap !== undefined ? share(swap - freeSwap, swap) : undefined,
    };
  }

  async #readSensors(): Promise<Values> {
    if (!this.#isLinux) return {};
    const [temperatureCelsius, batteryPercent, wireless] = await Promise.all([
      readTemperature(join(this.#root, 'sys')),
      readBattery(join(this.#root, 'sys')),
      this.#text('proc/net/wireless'),
    ]);
    return { temperatureCelsius, batteryPercent, signalDbm: readSignal(wireless ?? '') };
  }

  async #readLoad(): Promise<number | undefined> {
    if (!this.#isLinux) {
      const [load = 0] = loadavg();
      // Windows has no load average, and Node answers 0.
      return (this.#options.platform ?? process.platform) === 'win32' ? undefined : load;
    }
    const [first] = (await this.#text('proc/loadavg'))?.split(' ') ?? [];
    return numberOf(first);
  }

  #text(path: string): Promise<string | undefined> {
    return readFile(join(this.#root, path), 'utf8').catch(() => undefined);
  }
}

function ratesBetween(before: Counters, now: Counters): Values {
  const seconds = (now.atMs - before.atMs) / 1_000;
  const values: Values = {};
  if (before.cpu && now.cpu && now.cpu.all > before.cpu.all)
    values.cpuUsedPercent = share(now.cpu.busy - before.cpu.busy, now.cpu.all - before.cpu.all);
  if (before.network && now.network && seconds > 0) {
    const rate = (bytes: number): number | undefined =>
      bytes < 0 ? undefined : bytes / 1_000 / seconds;
    values.receivedKilobytesPerSecond = rate(now.network.received - before.network.received);
    values.sentKilobytesPerSecond = rate(now.network.sent - before.network.sent);
  }
  if (before.services && now.services)
    values.processRestarts = countRestarts(before.services, now.services);
  return values;
}

/** The line of all processors: user, nice, system, idle, iowait, irq, softirq, steal (proc(5)). */
function parseCpu(text: string): Counters['cpu'] {
  const line = /^cpu\s+(.*)$/m.exec(text)?.[1];
  const times = line?.split(/\s+/).slice(0, 8).map(Number);
  if (times === undefined || times.length < 4 || times.some(Number.isNaN)) return undefined;
  const all = times.reduce((sum, time) => sum + time, 0);
  return { all, busy: all - (times[3] ?? 0) - (times[4] ?? 0) };
}

function cpuTimesOfNode(): Counters['cpu'] {
  let [all, idle] = [0, 0];
  for (const { times } of cpus()) {
    idle += times.idle;
    all += times.user + times.nice + times.sys + times.idle + times.irq;
  }
  return all === 0 ? undefined : { all, busy: all - idle };
}

/** Bytes of all interfaces except loopback. */
function parseTraffic(text: string): Counters['network'] {
  let [received, sent] = [0, 0];
  for (const line of text.split('\n')) {
    const [name, counts] = line.split(':');
    if (name === undefined || counts === undefined || name.trim() === 'lo') continue;
    const columns = counts.trim().split(/\s+/).map(Number);
    received += columns[0] ?? 0;
    sent += columns[8] ?? 0;
  }
  return Number.isFinite(received + sent) ? { received, sent } : undefined;
}

/** As in df: excludes the space reserved for root. */
async function usedPercentOf(directory: string): Promise<number | undefined> {
  const found = await statfs(directory).catch(() => null);
  if (found === null || found.blocks === 0) return undefined;
  const used = found.blocks - found.bfree;
  return share(used, used + found.bavail);
}

const share = (part: number, whole: number): number | undefined =>
  whole > 0 ? Math.min(100, Math.max(0, (part / whole) * 100)) : undefined;

function numberOf(text: string | undefined): number | undefined {
  const value = Number(text);
  return text === undefined || text.trim() === '' || Number.isNaN(value) ? undefined : value;
}

const withoutUndefined = (values: Values): MetricValues =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && Number.isFinite(value)),
  );
