/** Simulations of the read-only built-in documents, except those for the network. */

import { addressOf, modelOf } from './device-health.ts';
import {
  complaint,
  line,
  parameterOf,
  type ScriptContext,
  type SimulatedScript,
} from './simulated-script.ts';

const stamp = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 19);

/** Log lines about the device's faults. */
export function logLines(context: ScriptContext, count: number): string[] {
  const { health, plan, nowMs, random } = context;
  const { service } = modelOf(plan);
  const usual = [
    `${service}[812]: heartbeat ok`,
    `${service}[812]: uploaded 14 records`,
    'systemd[1]: Started Daily apt download activities.',
    'kernel: usb 1-1: new high-speed USB device number 4',
    `${service}[812]: cache refreshed in 212 ms`,
    `dhclient[411]: bound to ${addressOf(plan)} -- renewal in 1712 seconds.`,
  ] as const;
  const troubles: string[] = [];
  if (health.crashing) {
    troubles.push(
      `${service}[2214]: fatal: segmentation fault in render loop`,
      `systemd[1]: ${service}.service: Main process exited, code=dumped, status=11/SEGV`,
      `systemd[1]: ${service}.service: Scheduled restart job, restart counter is at 37.`,
    );
  }
  if (health.diskUsedPercent >= 90)
    troubles.push(`${service}[812]: write failed: No space left on device`);
  if (health.leak)
    troubles.push(
      `kernel: Out of memory: ${health.leak.name} (pid ${health.leak.pid}) uses 81% of RAM`,
    );
  if (health.lossPercent > 0)
    troubles.push(`${service}[812]: upload timed out, retrying (packet loss)`);
  if (health.clockOffsetSeconds !== 0)
    troubles.push(`chronyd[377]: system clock wrong by ${health.clockOffsetSeconds}.0 seconds`);
  if (health.neededVersion)
    troubles.push(
      `${service}[812]: settings need version ${health.neededVersion} or newer, this is ${health.versions[service]}`,
    );
  return Array.from({ length: count }, (_, index) => {
    const at = stamp(nowMs - (count - index) * 7_000);
    const trouble = troubles[index % (troubles.length + 3)];
    return `${at} ${plan.name} ${trouble ?? random.pick(usual)}`;
  });
}

/** Output at this rate, regardless of length, so that text does not take seconds. */
const LINES_A_CHUNK = 50;

export function* logsTail(context: ScriptContext): SimulatedScript {
  const count = Math.min(2_000, Number(parameterOf(context, 'lines', 'count') ?? 100) || 100);
  const contains = parameterOf(context, 'contains') ?? '';
  const path = parameterOf(context, 'path') ?? '';
  if (path !== '' && !path.startsWith('/var/log/')) {
    yield complaint(
      `${path} is no log: only files below /var/log and the .log files of the agent's own directory are shown`,
    );
    return 2;
  }
  if (path !== '' && path !== '/var/log/syslog') {
    yield complaint(`${path} does not exist`);
    return 2;
  }
  const found = logLines(context, contains === '' ? count : 2_000)
    .filter((text) => text.includes(contains))
    .slice(-count);
  for (let at = 0; at < found.length; at += LINES_A_CHUNK) {
    yield line(found.slice(at, at + LINES_A_CHUNK).join('\n'), 20);
  }
  if (found.length === 0) yield complaint(`no line contains "${contains}"`);
  return 0;
}

export function* logsCollect(context: ScriptContext): SimulatedScript {
  const hours = Number(parameterOf(context, 'hours') ?? 24) || 24;
  yield line('collecting journal …', 60);
  // One line per seven seconds is enough; more would add no information.
  const lines = logLines(context, Math.min(5_000, hours * 500));
  const stampText = stamp(context.nowMs).replaceAll(/[-:]/g, '');
  const name = `logs-${context.plan.name}-${stampText}Z.txt`;
  const content = `${lines.join('\n')}\n`;
  context.collect({ name, content });
  yield line(`${name}: ${Buffer.byteLength(content)} bytes`, 120);
  return 0;
}

export function* storageUsage(context: ScriptContext): SimulatedScript {
  const { plan, health } = context;
  const totalKb = modelOf(plan).diskGigabytes * 1024 * 1024;
  const usedKb = Math.round((totalKb * health.diskUsedPercent) / 100);
  yield line('Filesystem     1024-blocks      Used Available Capacity Mounted on', 40);
  yield line(
    `/dev/mmcblk0p2 ${totalKb} ${usedKb} ${totalKb - usedKb} ${health.diskUsedPercent}% /`,
  );
  yield line('', 20);
  const path = (parameterOf(context, 'path') ?? '/var').replace(/(?<=.)\/$/, '');
  const top = Number(parameterOf(context, 'top') ?? 15) || 15;
  const below = directories(context, usedKb).filter(
    ([name]) => path === '/' || name === path || name.startsWith(`${path}/`),
  );
  if (below.length === 0) {
    yield complaint(`${path} is not a directory`);
    return 2;
  }
  yield line(`== largest below ${path} (kilobytes)`, 350);
  const sorted = below.toSorted(([, one], [, other]) => other - one).slice(0, top);
  for (const [name, kilobytes] of sorted) yield line(`${kilobytes}\t${name}`, 4);
  return 0;
}

/** Directories with their sizes in kilobytes. A full disk is filled by the application's cache. */
function directories({ plan, health }: ScriptContext, usedKb: number): [string, number][] {
  const { service } = modelOf(plan);
  const share = (part: number): number => Math.round(usedKb * part);
  const cache = health.diskUsedPercent >= 90 ? 0.58 : 0.07;
  const leaves: [string, number][] = [
    [`/var/cache/${service}`, share(cache)],
    ['/var/cache/apt', share(0.02)],
    ['/var/log', share(0.05)],
    [`/var/lib/${service}`, share(0.06)],
    ['/usr/lib', share(0.12)],
    ['/usr/share', share(0.05)],
    ['/home', share(0.01)],
  ];
  const total = (prefix: string): number =>
    leaves.reduce((sum, [name, size]) => sum + (name.startsWith(prefix) ? size : 0), 0);
  const parents = ['/var', '/var/cache', '/var/lib', '/usr'];
  return [...leaves, ...parents.map((name): [string, number] => [name, total(`${name}/`)])];
}

export function* processTop(context: ScriptContext): SimulatedScript {
  const { plan, health, random } = context;
  const { service, memoryMegabytes } = modelOf(plan);
  const byMemory = parameterOf(context, 'by') === 'memory';
  const usedPercent = health.leak ? 97 : health.memoryUsedPercent;
  const load = health.crashing || health.leak ? 2.4 : 0.2;
  yield line(`up ${Math.floor(context.uptimeSeconds / 3_600)} hours, load average: ${load}`, 60);
  yield line(`MemTotal: ${memoryMegabytes} MB`);
  yield line(`MemAvailable: ${Math.round((memoryMegabytes * (100 - usedPercent)) / 100)} MB`);
  yield line('');
  yield line('    PID USER          %CPU  %MEM    RSS_KB COMMAND');
  const rows: readonly (readonly [number, number, number, string])[] = [
    ...(health.leak ? [[health.leak.pid, 12.4, 81, health.leak.name] as const] : []),
    [812, health.crashing ? 98.7 : 4 + random.next() * 6, 9.2, service],
    [640, 0.8 + random.next(), 3.1, 'deviceportal-agent'],
    [377, 0.1, 0.4, 'chronyd'],
    [411, 0, 0.3, 'dhclient'],
    [1, 0, 0.6, 'systemd'],
  ];
  const column = byMemory ? 2 : 1;
  const count = Number(parameterOf(context, 'count') ?? 15) || 15;
  for (const [pid, cpu, memory, name] of rows
    .toSorted((one, other) => other[column] - one[column])
    .slice(0, count)) {
    const kilobytes = Math.round((memory / 100) * memoryMegabytes * 1_024);
    const columns = [`${pid}`.padStart(7), 'root        ', cpu.toFixed(1).padStart(5)];
    yield line(
      [...columns, memory.toFixed(1).padStart(5), `${kilobytes}`.padStart(9), name].join(' '),
    );
  }
  return 0;
}

const SECRET_KEY = /secret|token|password|key/i;

export function* configShow(context: ScriptContext): SimulatedScript {
  const wanted = parameterOf(context, 'key');
  const all = Object.entries(context.health.config);
  const shown = all.filter(([key]) => wanted === undefined || key === wanted);
  for (const [key, value] of shown) {
    yield line(`${key} = "${SECRET_KEY.test(key) ? '********' : value}"`, 6);
  }
  if (shown.length > 0) return 0;
  if (wanted === undefined) {
    yield line('Nothing is configured: every value is at its default');
    return 0;
  }
  yield complaint('no such value');
  return 4;
}

export function* locate({ plan, report, random }: ScriptContext): SimulatedScript {
  const latitude = plan.position.latitude + (random.next() - 0.5) * 0.0004;
  const longitude = plan.position.longitude + (random.next() - 0.5) * 0.0004;
  report({
    position: { latitude, longitude, accuracyMeters: plan.position.accuracyMeters, source: 'gps' },
  });
  yield line(
    `${latitude.toFixed(5)} ${longitude.toFixed(5)} within ${plan.position.accuracyMeters} m (gps)`,
    900,
  );
  return 0;
}
