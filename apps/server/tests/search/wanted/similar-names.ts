import type { FleetDescription } from '../../../src/devices/enrollment/create-devices.ts';

export const givenNames =
  'Anna Anne Hannah Jana Johanna Jürgen Jörn Georg Stefan Stephanie Steve Katharina Karin Carina François Franziska Lukas Lucas Maria Marie Mario José Joseph Josefine Philipp Philippa Felix Michael Michaela Michelle Wolfgang Wolf Christian Christine Kirsten Xavier Gabriel Daniel Daniela Peter Petra Thomas Tom Yuki Yuri Omar Amir Priya Priyanka Desmond Edmond Alexandra Alexander Zoe Sören Sara Sarah'.split(
    ' ',
  );
export const familyNames =
  'Webster Weaver Wagner Müller Miller Möller Groß Großkopf Schäffler Schaffner Schneider Connor Connolly Thomas Thompkins Middleham Lefort Lefebre Wisnicki Engström Hernando Fernández Nuñoz Nunes Kaiser Petrov Hassani Nguyen Schmidt Schmitz Clark Clarke Meier Maier Fischer Fisher Kowalski Kowalska Ravel Venkatesh Takeda Mokoen Adeyinka Araguz Fitzpatrick Hohenstein Blackwell Underwood Berg Chen Diaz Evans Fuchs Gupta'.split(
    ' ',
  );
export const chineseFamilies = [...'王李张刘陈杨黄赵周吴徐孙马朱胡郭何高林罗'];
export const chineseGiven = [...'伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀兰霞平刚桂英'];
const countries = ['DE', 'FR', 'PL', 'US', 'CN', 'GB', 'BR', 'JP'];
const types = ['locker', 'kiosk', 'gateway', 'display', 'terminal'];
const places = ['köln', 'berlin', 'paris', 'warszawa', 'denver', 'chengdu', 'leeds', 'recife'];

const pick = <Value>(values: readonly Value[], n: number): Value =>
  values[n % values.length] as Value;
const nameOf = (n: number): string =>
  n % 5 === 4
    ? `${pick(chineseFamilies, n)}${pick(chineseGiven, n * 7)}${n % 2 === 0 ? pick(chineseGiven, n * 3) : ''}`
    : `${pick(givenNames, n)} ${pick(familyNames, Math.floor(n / givenNames.length) + n)}`;

/** People with names and devices that are similar to the wanted ones, the same each time. */
export function similarFleet(size: number): FleetDescription {
  const numbers = Array.from({ length: size }, (_, n) => n);
  return {
    people: numbers.map((n) => ({
      ...{ username: `user${n}`, name: nameOf(n), email: `u.${n.toString(16)}@example.com` },
      ...{ phone: `+4916${String(n).padStart(8, '0')}`, country: 'DE', language: 'en' },
    })),
    devices: numbers.map((n) => {
      const serialNumber = `DP${String(n).padStart(7, '0')}`;
      const place = pick(places, n);
      return {
        ...{ serialNumber, name: `${pick(types, n)}-${place}-${n % 900}`, model: pick(types, n) },
        ...{ owner: `user${n}`, country: pick(countries, n), labels: { site: `s${n % 50}` } },
        lifecycle: n % 100 === 7 ? ('suspended' as const) : ('active' as const),
        software: [{ component: 'firmware', version: `4.${n % 4}.0` }],
      };
    }),
  };
}
