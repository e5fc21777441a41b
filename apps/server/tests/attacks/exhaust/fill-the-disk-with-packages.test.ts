import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JOURNAL_QUOTA, PACKAGES_PER_DEVICE } from '@deviceportal/contract/device-limits';
import { applyPackages } from '../../../src/packages/apply-packages.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import {
  connectDevice,
  enrollTestDevice,
  openGatewayFixture,
  rowsOf,
  until,
  type EnrolledDevice,
  type GatewayFixture,
} from '../../support/gateway-fixture.ts';

const PIECE = 1_500;
const MAX_PIECE = 2_000;

let setup: GatewayFixture;
beforeAll(async () => {
  setup = await openGatewayFixture();
});
afterAll(() => setup[Symbol.asyncDispose]());

/** A part of a list that does not replace any other part, so that all are stored. */
function pieceOf(number: number, report: string, size: number) {
  const after = `p${String(number).padStart(4, '0')}-`;
  const packages = Array.from({ length: size }, (_, index) => ({
    name: `${after}${index}`,
    version: '1',
  }));
  return { report, after, upTo: `${after}z`, packages };
}

async function countOf(table: string, { deviceId }: Pick<EnrolledDevice, 'deviceId'>) {
  const [row] = await rowsOf<{ count: number }>(
    setup.database,
    `select count(*)::int as count from ${table} where device_id = $1`,
    [deviceId],
  );
  return row?.count ?? 0;
}

test('a device cannot fill the disk with packages beyond its journal quota', async () => {
  const enrolled = await enrollTestDevice(setup);
  await using device = await connectDevice(setup, enrolled);
  const report = randomUUID();
  for (let number = 1; number <= 24; number += 1) {
    await device.journal({ kind: 'packages', ...pieceOf(number, report, PIECE) });
  }
  await until(() => device.messages.some(({ body }) => Number(body['waitMs']) > 0), 20_000);
  const kept = await countOf('device_package', enrolled);
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThanOrEqual(2 * (JOURNAL_QUOTA.burst + 60 * JOURNAL_QUOTA.perSecond));
}, 40_000);

test('a device with very many packages can add none, but can remove some', async () => {
  const enrolled = await enrollTestDevice(setup);
  const { deviceId } = enrolled;
  const apply = (piece: ReturnType<typeof pieceOf>) =>
    inTransaction(setup.database, (tx) =>
      applyPackages(tx, [{ ...piece, deviceId, at: new Date() }]),
    );
  const report = randomUUID();
  const enough = PACKAGES_PER_DEVICE / MAX_PIECE;
  for (let number = 1; number <= enough + 3; number += 1)
    await apply(pieceOf(number, report, MAX_PIECE));
  expect(await countOf('device_package', enrolled)).toBe(PACKAGES_PER_DEVICE);
  const later = randomUUID();
  expect(await apply(pieceOf(enough + 5, later, 1))).toEqual([]);
  await apply(pieceOf(1, later, 0));
  await apply(pieceOf(enough + 5, later, 1));
  expect(await countOf('device_package', enrolled)).toBe(PACKAGES_PER_DEVICE - MAX_PIECE + 1);
}, 60_000);
