import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countryPlaces } from '@deviceportal/contract/country-places';
import { applyPositions, type PositionRow } from '../../src/locations/apply-position.ts';
import { applyAddressCountries } from '../../src/locations/by-address/apply-address-countries.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import {
  connectDevice,
  enrollTestDevice,
  openGatewayFixture,
  rowsOf,
  until,
  type GatewayFixture,
} from '../support/gateway-fixture.ts';

/** The address from which all clients on this machine seem to connect. */
let seenFrom: string | null = 'NZ';
const asked: (string | null)[] = [];
let setup: GatewayFixture;
beforeAll(async () => {
  setup = await openGatewayFixture({
    countries: {
      countriesOf: async (addresses) => {
        asked.push(...addresses);
        if (seenFrom === null) throw new Error('the database cannot be read');
        return addresses.map(() => seenFrom);
      },
    },
  });
});
afterAll(() => setup[Symbol.asyncDispose]());

interface Place {
  readonly source: string;
  readonly country: string;
  readonly latitude: number;
  readonly accuracy_meters: number;
  readonly at: string;
}
const placeOf = async (deviceId: string): Promise<Place | undefined> =>
  (
    await rowsOf<Place>(setup.database, 'select * from device_location where device_id = $1', [
      deviceId,
    ])
  )[0];
const historyOf = async (deviceId: string): Promise<string[]> =>
  (
    await rowsOf<{ source: string; country: string }>(
      setup.database,
      'select source, country from geolocation where device_id = $1 order by id',
      [deviceId],
    )
  ).map(({ source, country }) => `${source} ${country}`);

const at = (time: string): Date => new Date(`2026-11-20T${time}Z`);
const seen = (country: string, time: string, ...deviceIds: string[]) =>
  inTransaction(setup.database, (tx) =>
    applyAddressCountries(
      tx,
      deviceIds.map((deviceId) => ({ deviceId, country, at: at(time) })),
    ),
  );
const reported = (deviceId: string, time: string, source: PositionRow['source'] = 'gps') =>
  inTransaction(setup.database, (tx) =>
    applyPositions(tx, [
      {
        deviceId,
        at: at(time),
        latitude: 50,
        longitude: 10,
        accuracyMeters: 9,
        source,
        country: 'DE',
      },
    ]),
  );
const newDevice = async (): Promise<string> =>
  (await enrollTestDevice(setup, randomUUID())).deviceId;

test('places a connecting device in the country of the address that the broker saw', async () => {
  const device = await enrollTestDevice(setup);
  await using connected = await connectDevice(setup, device);
  const place = await until(() => placeOf(device.deviceId));
  expect(connected.client.connected).toBe(true);
  const [latitude, , reach] = countryPlaces['NZ'] ?? [];
  expect(place).toMatchObject({ source: 'address', country: 'NZ', latitude });
  expect(place.accuracy_meters).toBe((reach ?? 0) * 1_000);
  expect(asked).toContain('127.0.0.1');
});

test('connects a device even if the country database cannot be read', async () => {
  seenFrom = null;
  const device = await enrollTestDevice(setup);
  await using connected = await connectDevice(setup, device);
  await until(async () => {
    const [row] = await rowsOf<{ connectivity: string }>(
      setup.database,
      'select connectivity from device_status where device_id = $1',
      [device.deviceId],
    );
    return row?.connectivity === 'online';
  });
  expect(connected.client.connected).toBe(true);
  expect(await placeOf(device.deviceId)).toBeUndefined();
});

test.each(['gps', 'network', 'ip', 'manual'] as const)(
  'never replaces a location by %s with a country, and replaces a country with it even if it is older',
  async (source) => {
    const [one, other] = [await newDevice(), await newDevice()];
    await reported(one, '09:00', source);
    expect(await seen('PL', '10:00', one, other)).toEqual([other]);
    expect(await placeOf(one)).toMatchObject({ source, country: 'DE' });
    expect(await reported(other, '08:00', source)).toEqual([other]);
    expect(await placeOf(other)).toMatchObject({ source, country: 'DE' });
    expect(await historyOf(one)).toEqual([`${source} DE`]);
    expect(await historyOf(other)).toEqual(['address PL', `${source} DE`]);
  },
);

test('extends the history when the country changes, and otherwise renews the time of the location', async () => {
  const id = await newDevice();
  expect(await seen('PL', '10:00', id)).toEqual([id]);
  expect(await seen('PL', '10:30', id)).toEqual([]);
  expect(new Date((await placeOf(id))?.at ?? '')).toEqual(at('10:00'));
  expect(await seen('PL', '12:00', id)).toEqual([]);
  expect(new Date((await placeOf(id))?.at ?? '')).toEqual(at('12:00'));
  expect(await seen('CZ', '12:10', id)).toEqual([id]);
  expect(await seen('PL', '11:00', id)).toEqual([]);
  expect(await placeOf(id)).toMatchObject({ country: 'CZ' });
  expect(await historyOf(id)).toEqual(['address PL', 'address CZ', 'address PL']);
});

test('sets no location for a country code that the map does not contain', async () => {
  const id = await newDevice();
  expect(await seen('AQ', '10:00', id)).toEqual([id]);
  expect(await seen('EU', '10:00', id)).toEqual([]);
  expect(await placeOf(id)).toMatchObject({ country: 'AQ' });
});

test('completes two batches over the same devices in opposite order', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, newDevice));
  await Promise.all([
    seen('PL', '10:00', ...ids),
    seen('CZ', '11:00', ...ids.toReversed()),
    ...ids.map((id) => reported(id, '09:00')),
  ]);
  for (const id of ids) expect(await placeOf(id)).toMatchObject({ source: 'gps' });
});
