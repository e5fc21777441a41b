/**
 * Installed packages of a simulated device, derived from its operating system and serial number.
 */

import type { InstalledPackage } from '../machine/machine.ts';
import { seededRandom } from './seeded-random.ts';

type Release = '12.8' | '12.5' | '11.11';

/** Debian package versions, in the order of the releases above. */
const packages: readonly (readonly [name: string, newest: string, older: string, old: string])[] = [
  ['apt', '2.6.1', '2.6.1', '2.2.4'],
  ['base-files', '12.4+deb12u8', '12.4+deb12u5', '11.1+deb11u11'],
  ['bash', '5.2.15-2+b7', '5.2.15-2+b2', '5.1-2+deb11u1'],
  ['bind9-dnsutils', '1:9.18.28-1~deb12u2', '1:9.18.24-1', '1:9.16.50-1~deb11u2'],
  ['busybox', '1:1.35.0-4+b3', '1:1.35.0-4+b3', '1:1.30.1-6+b3'],
  ['ca-certificates', '20230311', '20230311', '20210119'],
  ['chrony', '4.3-2+deb12u1', '4.3-2+deb12u1', '4.0-8+deb11u2'],
  ['coreutils', '9.1-1', '9.1-1', '8.32-4+b1'],
  ['curl', '7.88.1-10+deb12u8', '7.88.1-10+deb12u5', '7.74.0-1.3+deb11u13'],
  ['dpkg', '1.21.22', '1.21.22', '1.20.13'],
  ['gzip', '1.12-1', '1.12-1', '1.10-4+deb11u1'],
  ['iproute2', '6.1.0-3', '6.1.0-3', '5.10.0-4'],
  ['libc6', '2.36-9+deb12u9', '2.36-9+deb12u7', '2.31-13+deb11u11'],
  ['libexpat1', '2.5.0-1+deb12u1', '2.5.0-1', '2.2.10-2+deb11u6'],
  ['libgnutls30', '3.7.9-2+deb12u3', '3.7.9-2+deb12u2', '3.7.1-5+deb11u6'],
  ['libssl3', '3.0.15-1~deb12u1', '3.0.11-1~deb12u2', '1.1.1w-0+deb11u2'],
  ['linux-image', '6.1.119-1', '6.1.90-1', '5.10.226-1'],
  ['openssh-server', '1:9.2p1-2+deb12u3', '1:9.2p1-2+deb12u2', '1:8.4p1-5+deb11u3'],
  ['openssl', '3.0.15-1~deb12u1', '3.0.11-1~deb12u2', '1.1.1w-0+deb11u2'],
  ['sudo', '1.9.13p3-1+deb12u1', '1.9.13p3-1+deb12u1', '1.9.5p2-3+deb11u1'],
  ['systemd', '252.31-1~deb12u1', '252.22-1~deb12u1', '247.3-7+deb11u6'],
  ['tar', '1.34+dfsg-1.2+deb12u1', '1.34+dfsg-1.2', '1.34+dfsg-1+deb11u1'],
  ['tzdata', '2024b-0+deb12u1', '2024a-0+deb12u1', '2024b-0+deb11u1'],
  ['wpasupplicant', '2:2.10-12+deb12u2', '2:2.10-12+deb12u1', '2:2.9.0-21+deb11u2'],
  ['zlib1g', '1:1.2.13.dfsg-1', '1:1.2.13.dfsg-1', '1:1.2.11.dfsg-2+deb11u2'],
];

/** Share of devices that missed one of their updates. */
const MISSED_SHARE = 0.12;
const releases: readonly Release[] = ['12.8', '12.5', '11.11'];

/** @param system the version of the component `os`: `Debian 12.8` */
export function describePackages(serialNumber: string, system: string): InstalledPackage[] {
  const random = seededRandom(`${serialNumber}/packages`);
  const missed = random.chance(MISSED_SHARE) ? random.integer(0, packages.length - 1) : -1;
  const release = releases.findIndex((each) => system.endsWith(each));
  const column = release < 0 ? 0 : release;
  return packages.map(([name, ...versions], at) => ({
    name,
    version: versions[at === missed ? Math.max(column, 1) : column] ?? versions[0],
  }));
}
