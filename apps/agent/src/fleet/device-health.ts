/**
 * Health of a simulated device. Faults appear in its self-check, in the output of commands, and as
 * events; commands fix them. The state is kept across restarts as JSON.
 */

import type { SelfCheck, SoftwareComponent } from '../machine/machine.ts';
import type { DevicePlan, FaultKind } from './describe-fleet.ts';
import { models, type DeviceModel } from './fleet-catalog.ts';
import { seededRandom } from './seeded-random.ts';

export interface DeviceHealth {
  diskUsedPercent: number;
  memoryUsedPercent: number;
  /** Outgoing packet loss in percent. */
  lossPercent: number;
  /** The service in a crash loop. */
  crashing: string | null;
  clockOffsetSeconds: number;
  /** A process with a memory leak. */
  leak: { pid: number; name: string } | null;
  /** The minimum version for the application's settings; older versions cannot start. */
  neededVersion: string | null;
  versions: Record<string, string>;
  previousVersions: Record<string, string>;
  config: Record<string, string>;
  /** The command that restarted the device and continues afterwards. */
  restartedBy?: string;
  /** Data of commands for their undo, by invocation. */
  undoNotes?: Record<string, Record<string, string>>;
}

/** An event to journal. */
export interface HealthEvent {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

export function modelOf(plan: DevicePlan): DeviceModel {
  return models.find((candidate) => candidate.model === plan.model) ?? models[0];
}

/** Its address in the site's network, whose first addresses are reserved for the site. */
export function addressOf({ index }: DevicePlan): string {
  const network = Math.floor(index / 240);
  return `10.${20 + (network >> 8)}.${network & 255}.${10 + (index % 240)}`;
}

export function gatewayOf(plan: DevicePlan): string {
  return addressOf(plan).replace(/\d+$/, '1');
}

export function newHealth(plan: DevicePlan): DeviceHealth {
  const random = seededRandom(`${plan.serialNumber}/health`);
  return {
    diskUsedPercent: random.integer(28, 74),
    memoryUsedPercent: random.integer(30, 68),
    lossPercent: 0,
    crashing: null,
    clockOffsetSeconds: 0,
    leak: null,
    neededVersion: null,
    versions: Object.fromEntries(plan.software.map((item) => [item.component, item.version])),
    previousVersions: {},
    config: { 'log.level': 'info', 'upload.interval': '300', 'display.brightness': '80' },
  };
}

/** Applies a fault. An existing fault is not changed and causes no event. */
export function applyFault(
  health: DeviceHealth,
  plan: DevicePlan,
  kind: FaultKind,
): HealthEvent | null {
  const random = seededRandom(`${plan.serialNumber}/${kind}`);
  const { service, applicationVersions } = modelOf(plan);
  if (activeFaults(health).includes(kind)) return null;
  switch (kind) {
    case 'disk':
      health.diskUsedPercent = random.integer(96, 99);
      return { type: 'disk-full', data: { mount: '/', usedPercent: health.diskUsedPercent } };
    case 'network':
      health.lossPercent = random.integer(18, 45);
      return { type: 'network-degraded', data: { lossPercent: health.lossPercent } };
    case 'crash':
      health.crashing = service;
      return { type: 'service-crashed', data: { service, exitCode: 139, restarts: 1 } };
    case 'clock':
      health.clockOffsetSeconds = random.pick([-1, 1] as const) * random.integer(190, 5_400);
      return { type: 'clock-stepped', data: { offsetSeconds: health.clockOffsetSeconds } };
    case 'memory':
      health.leak = { pid: random.integer(700, 32_000), name: `${service}-helper` };
      return { type: 'memory-low', data: { process: health.leak.name, pid: health.leak.pid } };
    case 'version': {
      const before = health.versions[service] ?? '';
      const old = applicationVersions.at(-1) ?? before;
      health.versions[service] = old;
      [health.neededVersion] = applicationVersions;
      return {
        type: 'software-outdated',
        data: { component: service, version: old, needed: health.neededVersion },
      };
    }
    default:
      return null;
  }
}

/** Moves the clock by a number of seconds. A correct clock is no longer a fault. */
export function stepClock(health: DeviceHealth, bySeconds: number): HealthEvent[] {
  const before = health.clockOffsetSeconds;
  health.clockOffsetSeconds = before + bySeconds;
  if (health.clockOffsetSeconds === 0) return [{ type: recoveries.clock, data: {} }];
  return [{ type: 'clock-stepped', data: { offsetSeconds: health.clockOffsetSeconds } }];
}

export function activeFaults(health: DeviceHealth): FaultKind[] {
  const faults: FaultKind[] = [];
  if (health.diskUsedPercent >= 90) faults.push('disk');
  if (health.lossPercent > 0) faults.push('network');
  if (health.crashing !== null) faults.push('crash');
  if (health.clockOffsetSeconds !== 0) faults.push('clock');
  if (health.leak) faults.push('memory');
  if (health.neededVersion !== null) faults.push('version');
  return faults;
}

const recoveries: Readonly<Record<FaultKind, string>> = {
  disk: 'disk-recovered',
  network: 'network-recovered',
  crash: 'service-recovered',
  clock: 'clock-corrected',
  memory: 'memory-recovered',
  version: 'software-current',
};

/** Fixes the given faults, with one event for each. */
export function mend(health: DeviceHealth, kinds: readonly FaultKind[]): HealthEvent[] {
  const broken = activeFaults(health).filter((kind) => kinds.includes(kind));
  for (const kind of broken) {
    if (kind === 'disk') health.diskUsedPercent = 41;
    else if (kind === 'network') health.lossPercent = 0;
    else if (kind === 'crash') health.crashing = null;
    else if (kind === 'clock') health.clockOffsetSeconds = 0;
    else if (kind === 'memory') health.leak = null;
    else health.neededVersion = null;
  }
  return broken.map((kind) => ({ type: recoveries[kind], data: {} }));
}

export function selfCheckOf(
  health: DeviceHealth,
  plan: DevicePlan,
  uptimeSeconds: number,
): SelfCheck {
  const failing: SelfCheck['failing'] = [];
  const memoryUsedPercent = health.leak ? 97 : health.memoryUsedPercent;
  if (health.diskUsedPercent >= 90) {
    failing.push({ part: 'disk', fact: `${health.diskUsedPercent} % of / used` });
  }
  if (health.leak) {
    failing.push({ part: 'memory', fact: `97 % used, most of it by ${health.leak.name}` });
  }
  if (health.clockOffsetSeconds !== 0) {
    failing.push({ part: 'clock', fact: `${describeOffset(health.clockOffsetSeconds)}` });
  }
  if (health.lossPercent > 0) {
    failing.push({ part: 'network', fact: `${health.lossPercent} % of packets lost` });
  }
  if (health.crashing) failing.push({ part: 'service', fact: `${health.crashing} keeps crashing` });
  if (health.neededVersion) {
    const { service } = modelOf(plan);
    const fact = `${service} ${health.versions[service]} is too old for its settings, needs ${health.neededVersion}`;
    failing.push({ part: 'service', fact });
  }
  return { failing, diskUsedPercent: health.diskUsedPercent, memoryUsedPercent, uptimeSeconds };
}

export function describeOffset(seconds: number): string {
  const size = Math.abs(seconds);
  const text = size >= 120 ? `${Math.round(size / 60)} min` : `${size} s`;
  return `${text} ${seconds < 0 ? 'behind' : 'ahead'}`;
}

export function componentsOf(health: DeviceHealth, agentVersion: string): SoftwareComponent[] {
  const own = Object.entries(health.versions).map(([component, version]) => ({
    component,
    version,
  }));
  return [
    { component: 'agent', version: agentVersion },
    { component: 'node', version: '24.4.0' },
    ...own,
  ];
}

/** Installs a version. An application that is new enough works again. */
export function installVersion(
  health: DeviceHealth,
  component: string,
  version: string,
): HealthEvent[] {
  const before = health.versions[component];
  if (before !== undefined && before !== version) health.previousVersions[component] = before;
  health.versions[component] = version;
  const installed: HealthEvent = {
    type: 'software-installed',
    data: { component, version, before: before ?? null },
  };
  const needed = health.neededVersion;
  const isEnough = needed !== null && compareVersions(version, needed) >= 0;
  return [installed, ...(isEnough ? mend(health, ['version']) : [])];
}

export function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
