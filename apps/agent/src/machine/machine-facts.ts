/** Facts about this machine from systeminformation. */

import { hostname } from 'node:os';
import si from 'systeminformation';
import { AGENT_VERSION } from '../agent-version.ts';
import type {
  InstalledPackage,
  InventoryFacts,
  PlatformType,
  SoftwareComponent,
} from './machine.ts';

export function platformTypeOf(platform: NodeJS.Platform): PlatformType {
  if (platform === 'win32') return 'Windows';
  return platform === 'darwin' ? 'MacOS' : 'Linux';
}

/** Placeholder values that firmware vendors leave unchanged. */
const isFilledIn = (value: string): boolean =>
  value.trim() !== '' &&
  !/^(-|none|default string|to be filled|not specified|system serial|unknown|0+$)/i.test(
    value.trim(),
  );

const known = (value: string | undefined, limit: number): string | null =>
  value !== undefined && isFilledIn(value) ? value.trim().slice(0, limit) : null;

export async function readInventory(givenSerialNumber: string | null): Promise<InventoryFacts> {
  const [os, system, cpu, memory, disks, networks] = await Promise.all([
    si.osInfo(),
    si.system(),
    si.cpu(),
    si.mem(),
    si.fsSize(),
    si.networkInterfaces(),
  ]);
  const outward = [networks].flat().filter((network) => !network.internal && network.ip4 !== '');
  return {
    platformType: platformTypeOf(process.platform),
    platformName: os.distro.slice(0, 128),
    platformVersion: os.release.slice(0, 128),
    architecture: os.arch.slice(0, 32),
    agentVersion: AGENT_VERSION,
    hostName: hostname().slice(0, 255),
    ipAddress: outward[0]?.ip4 ?? null,
    serialNumber: givenSerialNumber ?? serialNumberOf(system.serial),
    model: known(system.model, 128),
    hardwareRevision: known(system.version, 64),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    details: {
      manufacturer: known(system.manufacturer, 128),
      virtual: system.virtual,
      processor: { brand: cpu.brand, cores: cpu.cores },
      memoryBytes: memory.total,
      disks: disks.map(({ fs, mount, type, size }) => ({
        fileSystem: fs,
        mount,
        type,
        bytes: size,
      })),
      networkInterfaces: outward.map(({ iface, ip4, mac, type }) => ({
        name: iface,
        ip4,
        mac,
        type,
      })),
    },
  };
}

/**
 * The portal accepts uppercase letters, digits, `_`, and `-` (docs/design/decisions.md, section 3).
 * Any other value is treated as unknown.
 */
function serialNumberOf(firmware: string): string | null {
  const candidate = firmware.trim().toUpperCase();
  return isFilledIn(candidate) && /^[A-Z0-9][A-Z0-9_-]{3,63}$/.test(candidate) ? candidate : null;
}

export async function readComponents(): Promise<SoftwareComponent[]> {
  const os = await si.osInfo();
  return [
    { component: 'agent', version: AGENT_VERSION },
    { component: 'os', version: `${os.distro} ${os.release}`.trim().slice(0, 64) },
    { component: 'kernel', version: os.kernel.slice(0, 64) },
    { component: 'node', version: process.versions.node },
  ];
}

/** Commands that list installed packages as `name version`, one per line. */
const listings: readonly (readonly [command: string, ...rest: string[]])[] = [
  ['dpkg-query', '-W', '-f=${Package} ${Version}\\n'],
  ['rpm', '-qa', '--queryformat', '%{NAME} %{VERSION}-%{RELEASE}\\n'],
  ['apk', 'info', '-v'],
  ['brew', 'list', '--versions'],
];

export async function readPackages(
  run: (command: string, args: readonly string[]) => Promise<string>,
): Promise<InstalledPackage[]> {
  for (const [command, ...args] of listings) {
    const text = await run(command, args).catch(() => '');
    const packages = text.split('\n').flatMap(parsePackage);
    if (packages.length > 0) return packages;
  }
  return [];
}

function parsePackage(line: string): InstalledPackage[] {
  const [, name, version] =
    /^(\S+) (\S+)/.exec(line) ?? /^(.+)-(\d[^-]*-r\d+)$/.exec(line.trim()) ?? [];
  // No colon, because filters use it to separate name and version. Other unusual names are omitted.
  const isNamed = /^[!-9;-~]{1,128}$/.test(name ?? '') && /^[!-~]{1,128}$/.test(version ?? '');
  return name && version && isNamed ? [{ name, version }] : [];
}
