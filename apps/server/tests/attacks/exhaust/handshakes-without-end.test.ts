import { once } from 'node:events';
import { connect } from 'node:tls';
import { FAILED_HANDSHAKE_QUOTA, HANDSHAKE_QUOTA } from '@deviceportal/contract/device-limits';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  connectDevice,
  enrollTestDevice,
  openGatewayFixture,
  type EnrolledDevice,
  type GatewayFixture,
} from '../../support/gateway-fixture.ts';

let setup: GatewayFixture;
beforeAll(async () => {
  setup = await openGatewayFixture();
});
afterAll(() => setup[Symbol.asyncDispose]());

const ATTEMPTS = 600;
const AT_ONCE = 100;

/**
 * Completes the handshake with its certificate, sends nothing, and disconnects. @returns whether the server accepted
 * it
 */
async function shakeHands({ certificate, key }: EnrolledDevice): Promise<boolean> {
  const socket = connect({
    ...{ host: '127.0.0.1', port: setup.broker.tlsPort ?? 0, cert: certificate, key },
    ca: setup.authority.authorities,
  });
  socket.on('error', () => {});
  const isOpen = await Promise.race([
    // At this point the server has verified the certificate, too.
    once(socket, 'session').then(() => true),
    once(socket, 'close').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return isOpen;
}

test('a device cannot keep the broker busy with unused handshakes', async () => {
  const [attacker, other] = [await enrollTestDevice(setup), await enrollTestDevice(setup)];
  const startedMs = performance.now();
  let taken = 0;
  for (let begun = 0; begun < ATTEMPTS; begun += AT_ONCE) {
    const tries = Array.from({ length: AT_ONCE }, () => shakeHands(attacker));
    taken += (await Promise.all(tries)).filter(Boolean).length;
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  const perSecond = HANDSHAKE_QUOTA.perSecond + FAILED_HANDSHAKE_QUOTA.perSecond;
  const most = HANDSHAKE_QUOTA.burst + FAILED_HANDSHAKE_QUOTA.burst + perSecond * seconds;
  expect(taken).toBeLessThanOrEqual(Math.ceil(most) + AT_ONCE);
  // The address has tokens again after a moment.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await using connected = await connectDevice(setup, other);
  expect(connected.client.connected).toBe(true);
}, 60_000);
