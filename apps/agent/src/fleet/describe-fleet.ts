/**
 * Owner, location, and software of each simulated device, derived from the fleet's size and seed.
 */

import type { SoftwareComponent } from '../machine/machine.ts';
import {
  countries,
  kernelVersions,
  models,
  sites,
  systemVersions,
  type Country,
  type DeviceModel,
} from './fleet-catalog.ts';
import { FIRMWARE, isOldestHarmful } from './describe-releases.ts';
import { seededRandom, type SeededRandom } from './seeded-random.ts';

export const rhythms = ['always', 'office', 'flaky', 'rarely', 'never'] as const;
/** Connection pattern of a device. `never` is a device that was claimed but not switched on yet. */
export type Rhythm = (typeof rhythms)[number];

export const faultKinds = ['disk', 'network', 'crash', 'clock', 'version', 'memory'] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface OwnerPlan {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly country: string;
  readonly language: 'en' | 'zh-CN';
}

export interface DevicePlan {
  readonly index: number;
  readonly serialNumber: string;
  /** Starts with the type: `kiosk-berlin-0007`. */
  readonly name: string;
  readonly type: DeviceModel['type'];
  readonly model: string;
  readonly hardwareRevision: string;
  /** Index in `owners`. */
  readonly owner: number;
  readonly country: string;
  readonly timeZone: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly position: {
    readonly latitude: number;
    readonly longitude: number;
    readonly accuracyMeters: number;
  };
  readonly software: readonly SoftwareComponent[];
  readonly rhythm: Rhythm;
  /** Faults on the first day. */
  readonly faults: readonly FaultKind[];
}

export interface FleetDescription {
  readonly owners: readonly OwnerPlan[];
  readonly devices: readonly DevicePlan[];
}

const DEVICES_PER_OWNER = 2.5;
/** Share of devices with an initial fault. */
const FAULTY_SHARE = 0.14;

export function describeFleet(size: number, seed = 'device-portal'): FleetDescription {
  const ownerCount = Math.max(1, Math.ceil(size / DEVICES_PER_OWNER));
  const places = Array.from({ length: ownerCount }, (_, index) => ({
    index,
    country: countryOf(seed, index),
  }));
  const owners = places.map(({ country, index }) => describeOwner(seed, index, country));
  const devices = Array.from({ length: size }, (_, index) => {
    const owner = seededRandom(`${seed}/ownership/${index}`).integer(0, ownerCount - 1);
    return describeDevice(seed, index, { owner, country: countryOf(seed, owner) });
  });
  return { owners, devices: withOneLeftBehind(devices) };
}

/** Changes the first suitable device to the oldest version, which is known to be harmful. */
function withOneLeftBehind(devices: readonly DevicePlan[]): readonly DevicePlan[] {
  const found = devices.find(
    ({ software: [application], faults }) =>
      faults.length === 0 &&
      application !== undefined &&
      isOldestHarmful(application.component) &&
      versionsOf(application.component).at(-2) === application.version,
  );
  return devices.map((device) => {
    const [application, ...others] = device.software;
    if (device !== found || application === undefined) return device;
    const version = versionsOf(application.component).at(-1) ?? application.version;
    return { ...device, software: [{ ...application, version }, ...others] };
  });
}

const versionsOf = (service: string): readonly string[] =>
  models.find((each) => each.service === service)?.applicationVersions ?? [];

/** Every country occurs early, so that a small fleet has all of them. */
function countryOf(seed: string, owner: number): Country {
  const round = countries[owner % countries.length] ?? countries[0];
  const random = seededRandom(`${seed}/country/${owner}`);
  return owner < countries.length * 2 ? round : random.pick(countries);
}

function describeOwner(seed: string, index: number, country: Country): OwnerPlan {
  const random = seededRandom(`${seed}/owner/${index}`);
  const given = random.pick(country.givenNames);
  const family = random.pick(country.familyNames);
  const username = `${asciiOf(given)}.${asciiOf(family)}${index}`;
  return {
    username,
    name:
      country.code === 'CN' || country.code === 'JP' ? `${family} ${given}` : `${given} ${family}`,
    email: `${username}@example.com`,
    phone: `${country.dialling}555${String(100_000 + index).padStart(6, '0')}`,
    country: country.code,
    language: country.language,
  };
}

const asciiOf = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/[^a-zA-Z]/g, '')
    .toLowerCase();

function describeDevice(
  seed: string,
  index: number,
  place: { owner: number; country: Country },
): DevicePlan {
  const random = seededRandom(`${seed}/device/${index}`);
  const model = random.pick(models);
  const city = random.pick(place.country.cities);
  const number = String(index + 1).padStart(5, '0');
  return {
    index,
    serialNumber: `${model.serialPrefix}${place.country.code}${number}`,
    name: `${model.type}-${asciiOf(city.name)}-${number}`,
    type: model.type,
    model: model.model,
    hardwareRevision: random.pick(model.revisions),
    owner: place.owner,
    country: place.country.code,
    timeZone: city.timeZone,
    labels: {
      site: random.pick(sites),
      ring: random.chance(0.08) ? 'early' : 'broad',
      batch: `b${String(Math.floor(index / 40)).padStart(2, '0')}`,
    },
    position: {
      latitude: round(city.latitude + (random.next() - 0.5) * 0.12),
      longitude: round(city.longitude + (random.next() - 0.5) * 0.12),
      accuracyMeters: random.integer(8, 60),
    },
    software: describeSoftware(model, random),
    rhythm: pickRhythm(random),
    faults: random.chance(FAULTY_SHARE) ? [random.pick(faultKinds)] : [],
  };
}

function describeSoftware(model: DeviceModel, random: SeededRandom): SoftwareComponent[] {
  const straggler = random.next();
  const [newest, second, third] = model.applicationVersions;
  const oldest = model.applicationVersions.at(-1) ?? third;
  const steps = [
    [0.62, newest],
    [0.84, second],
    [0.95, third],
  ] as const;
  const application = steps.find(([share]) => straggler < share)?.[1] ?? oldest;
  const system = random.chance(0.7) ? systemVersions[0] : random.pick(systemVersions);
  return [
    { component: model.service, version: application },
    { component: 'os', version: `Debian ${system}` },
    { component: 'kernel', version: kernelVersions[system] ?? '6.1.0-28' },
    { component: 'firmware', version: random.chance(0.75) ? FIRMWARE[0] : FIRMWARE[1] },
  ];
}

function pickRhythm(random: SeededRandom): Rhythm {
  const drawn = random.next();
  if (drawn < 0.62) return 'always';
  if (drawn < 0.78) return 'office';
  if (drawn < 0.88) return 'flaky';
  return drawn < 0.97 ? 'rarely' : 'never';
}

const round = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;
