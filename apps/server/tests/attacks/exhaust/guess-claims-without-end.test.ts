import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENROLLMENT_QUOTA } from '@deviceportal/contract/device-limits';
import { addEnrollmentRoute } from '../../../src/gateway/enrollment-route.ts';
import { createLocalChangeFeed } from '../../../src/platform/change-feed.ts';
import { openGatewayFixture, type GatewayFixture } from '../../support/gateway-fixture.ts';
import { testDeviceKeys } from '../../support/run-signing.ts';

let setup: GatewayFixture;
const app = fastify();
beforeAll(async () => {
  setup = await openGatewayFixture();
  app.setErrorHandler((_error, _request, reply) => reply.code(403).send({}));
  addEnrollmentRoute(app, {
    ...setup,
    changes: createLocalChangeFeed(() => {}),
    clock: () => new Date(),
    deviceKeys: testDeviceKeys(),
    brokerUrl: 'mqtts://localhost',
  });
});
afterAll(async () => {
  await app.close();
  await setup[Symbol.asyncDispose]();
});

const tryFrom = async (remoteAddress: string): Promise<number> =>
  (await app.inject({ method: 'POST', url: '/enrol', payload: {}, remoteAddress })).statusCode;

test('an IPv6 subscriber cannot guess claims without limit by changing addresses; others are served', async () => {
  const codes: number[] = [];
  for (let turn = 0; turn < ENROLLMENT_QUOTA.burst + 100; turn += 1)
    codes.push(await tryFrom(`2001:db8:1:1::${turn.toString(16)}`));
  expect(codes[0]).toBe(403);
  expect(codes.at(-1)).toBe(429);
  expect(await tryFrom('2001:db8:1:2::1')).toBe(403);
});
