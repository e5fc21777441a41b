/** Base data of the simulated fleet: places, models, software, and names of people. */

export interface City {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly timeZone: string;
}

export interface Country {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly dialling: string;
  readonly language: 'en' | 'zh-CN';
  readonly cities: readonly [City, ...City[]];
  readonly givenNames: readonly [string, ...string[]];
  readonly familyNames: readonly [string, ...string[]];
}

const city = (name: string, latitude: number, longitude: number, timeZone: string): City => ({
  name,
  latitude,
  longitude,
  timeZone,
});

type Names = readonly [string, ...string[]];
type Cities = readonly [City, ...City[]];

const country = (
  [code, dialling, language]: readonly [string, string, 'en' | 'zh-CN'],
  cities: Cities,
  names: { given: Names; family: Names },
): Country => ({
  code,
  dialling,
  language,
  cities,
  givenNames: names.given,
  familyNames: names.family,
});

export const countries: readonly [Country, ...Country[]] = [
  country(
    ['DE', '+49', 'en'],
    [
      city('Berlin', 52.52, 13.405, 'Europe/Berlin'),
      city('Hamburg', 53.5511, 9.9937, 'Europe/Berlin'),
      city('München', 48.1351, 11.582, 'Europe/Berlin'),
      city('Köln', 50.9375, 6.9603, 'Europe/Berlin'),
    ],
    {
      given: ['Anna', 'Jonas', 'Lena', 'Felix'],
      family: ['Müller', 'Schneider', 'Weber', 'Krüger'],
    },
  ),
  country(
    ['US', '+1', 'en'],
    [
      city('New York', 40.7128, -74.006, 'America/New_York'),
      city('Chicago', 41.8781, -87.6298, 'America/Chicago'),
      city('Denver', 39.7392, -104.9903, 'America/Denver'),
      city('Seattle', 47.6062, -122.3321, 'America/Los_Angeles'),
    ],
    { given: ['Emma', 'Liam', 'Olivia', 'Noah'], family: ['Johnson', 'Brown', 'Miller', 'Garcia'] },
  ),
  country(
    ['CN', '+86', 'zh-CN'],
    [
      city('Shanghai', 31.2304, 121.4737, 'Asia/Shanghai'),
      city('Shenzhen', 22.5431, 114.0579, 'Asia/Shanghai'),
      city('Chengdu', 30.5728, 104.0668, 'Asia/Shanghai'),
    ],
    { given: ['Wei', 'Fang', 'Jing', 'Lei'], family: ['Wang', 'Li', 'Zhang', 'Chen'] },
  ),
  country(
    ['GB', '+44', 'en'],
    [
      city('London', 51.5074, -0.1278, 'Europe/London'),
      city('Manchester', 53.4808, -2.2426, 'Europe/London'),
      city('Glasgow', 55.8642, -4.2518, 'Europe/London'),
    ],
    {
      given: ['Amelia', 'George', 'Isla', 'Arthur'],
      family: ['Smith', 'Taylor', 'Davies', 'Evans'],
    },
  ),
  country(
    ['FR', '+33', 'en'],
    [
      city('Paris', 48.8566, 2.3522, 'Europe/Paris'),
      city('Lyon', 45.764, 4.8357, 'Europe/Paris'),
      city('Marseille', 43.2965, 5.3698, 'Europe/Paris'),
    ],
    {
      given: ['Camille', 'Hugo', 'Louise', 'Gabriel'],
      family: ['Martin', 'Bernard', 'Dubois', 'Moreau'],
    },
  ),
  country(
    ['PL', '+48', 'en'],
    [
      city('Warszawa', 52.2297, 21.0122, 'Europe/Warsaw'),
      city('Kraków', 50.0647, 19.945, 'Europe/Warsaw'),
    ],
    {
      given: ['Zofia', 'Jakub', 'Maja', 'Antoni'],
      family: ['Nowak', 'Kowalska', 'Wójcik', 'Zieliński'],
    },
  ),
  country(
    ['ES', '+34', 'en'],
    [
      city('Madrid', 40.4168, -3.7038, 'Europe/Madrid'),
      city('Barcelona', 41.3874, 2.1686, 'Europe/Madrid'),
    ],
    {
      given: ['Lucía', 'Mateo', 'Sofía', 'Pablo'],
      family: ['García', 'Fernández', 'López', 'Ruiz'],
    },
  ),
  country(
    ['JP', '+81', 'en'],
    [
      city('Tokyo', 35.6762, 139.6503, 'Asia/Tokyo'),
      city('Osaka', 34.6937, 135.5023, 'Asia/Tokyo'),
    ],
    { given: ['Yui', 'Haruto', 'Aoi', 'Sota'], family: ['Sato', 'Suzuki', 'Tanaka', 'Ito'] },
  ),
  country(
    ['BR', '+55', 'en'],
    [
      city('São Paulo', -23.5505, -46.6333, 'America/Sao_Paulo'),
      city('Recife', -8.0476, -34.877, 'America/Recife'),
    ],
    {
      given: ['Helena', 'Miguel', 'Alice', 'Davi'],
      family: ['Silva', 'Santos', 'Oliveira', 'Costa'],
    },
  ),
  country(
    ['IN', '+91', 'en'],
    [
      city('Mumbai', 19.076, 72.8777, 'Asia/Kolkata'),
      city('Bengaluru', 12.9716, 77.5946, 'Asia/Kolkata'),
    ],
    { given: ['Aadhya', 'Arjun', 'Diya', 'Vihaan'], family: ['Sharma', 'Patel', 'Reddy', 'Iyer'] },
  ),
  country(
    ['AU', '+61', 'en'],
    [
      city('Sydney', -33.8688, 151.2093, 'Australia/Sydney'),
      city('Perth', -31.9523, 115.8613, 'Australia/Perth'),
    ],
    {
      given: ['Charlotte', 'Oliver', 'Mia', 'Jack'],
      family: ['Williams', 'Wilson', 'Kelly', 'Ryan'],
    },
  ),
  country(
    ['ZA', '+27', 'en'],
    [
      city('Cape Town', -33.9249, 18.4241, 'Africa/Johannesburg'),
      city('Durban', -29.8587, 31.0218, 'Africa/Johannesburg'),
    ],
    {
      given: ['Lethabo', 'Thabo', 'Amahle', 'Sipho'],
      family: ['Dlamini', 'Botha', 'Nkosi', 'Naidoo'],
    },
  ),
];

export interface DeviceModel {
  readonly type: 'kiosk' | 'terminal' | 'gateway' | 'display' | 'sensor-hub' | 'locker';
  readonly model: string;
  readonly serialPrefix: string;
  readonly revisions: readonly [string, ...string[]];
  readonly architecture: 'x64' | 'arm64';
  readonly service: string;
  /** Versions of the model's application, newest first. */
  readonly applicationVersions: readonly [string, string, string, ...string[]];
  readonly memoryMegabytes: number;
  readonly diskGigabytes: number;
}

export const models: readonly [DeviceModel, ...DeviceModel[]] = [
  {
    type: 'kiosk',
    model: 'K200',
    serialPrefix: 'KS2',
    revisions: ['A', 'B', 'C'],
    architecture: 'x64',
    service: 'kiosk-ui',
    applicationVersions: ['4.2.1', '4.2.0', '4.1.3', '3.9.8'],
    memoryMegabytes: 8192,
    diskGigabytes: 128,
  },
  {
    type: 'kiosk',
    model: 'K310',
    serialPrefix: 'KS3',
    revisions: ['A', 'B'],
    architecture: 'arm64',
    service: 'kiosk-ui',
    applicationVersions: ['4.2.1', '4.2.0', '4.1.3'],
    memoryMegabytes: 4096,
    diskGigabytes: 64,
  },
  {
    type: 'terminal',
    model: 'T100',
    serialPrefix: 'TM1',
    revisions: ['1.0', '1.1', '2.0'],
    architecture: 'arm64',
    service: 'payment',
    applicationVersions: ['7.4.0', '7.3.2', '7.1.0', '6.8.5'],
    memoryMegabytes: 2048,
    diskGigabytes: 16,
  },
  {
    type: 'gateway',
    model: 'G5',
    serialPrefix: 'GW5',
    revisions: ['R1', 'R2'],
    architecture: 'arm64',
    service: 'edge-router',
    applicationVersions: ['2.8.3', '2.8.1', '2.6.0'],
    memoryMegabytes: 1024,
    diskGigabytes: 8,
  },
  {
    type: 'display',
    model: 'D55',
    serialPrefix: 'DS5',
    revisions: ['A', 'B'],
    architecture: 'x64',
    service: 'signage',
    applicationVersions: ['5.0.2', '5.0.0', '4.7.9'],
    memoryMegabytes: 4096,
    diskGigabytes: 32,
  },
  {
    type: 'sensor-hub',
    model: 'S12',
    serialPrefix: 'SH1',
    revisions: ['1', '2', '3'],
    architecture: 'arm64',
    service: 'collector',
    applicationVersions: ['1.14.0', '1.13.2', '1.10.1'],
    memoryMegabytes: 512,
    diskGigabytes: 4,
  },
  {
    type: 'locker',
    model: 'L24',
    serialPrefix: 'LK2',
    revisions: ['A'],
    architecture: 'x64',
    service: 'locker-control',
    applicationVersions: ['3.3.0', '3.2.4', '3.0.1'],
    memoryMegabytes: 4096,
    diskGigabytes: 64,
  },
];

/** Newest first. Most devices run the first one, some an older one. */
export const systemVersions: readonly [string, ...string[]] = ['12.8', '12.5', '11.11'];
export const kernelVersions: Readonly<Record<string, string>> = {
  '12.8': '6.1.0-28',
  '12.5': '6.1.0-21',
  '11.11': '5.10.0-33',
};
export const sites = ['airport', 'mall', 'station', 'office', 'store'] as const;
