import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../apps/server/tests/support/gateway-fixture.ts';
import { lacks } from '../../packages/aws/tests/parts/parts.ts';
import { ThreeServers } from './three-servers.ts';

const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`;
const missing = ['haproxy', 'mosquitto', 'openssl'].filter(
  (name) => spawnSync(name, ['-h'], { env: { PATH } }).error !== undefined,
);
if (missing.length > 0) {
  process.stdout.write(`Skipped: the three servers of deploy need ${missing.join(', ')}.\n`);
}
const lacksStore = lacks('versitygw');
const LIMIT_MS = 240_000;
/** Each signs in once, because a user gets one code in 30 seconds. */
const ADMINS = ['ada@example.com', 'bob@example.com'] as const;

describe.skipIf(missing.length > 0 || lacksStore)(
  'three servers as deployed by the units of deploy/',
  () => {
    let portal: ThreeServers;
    let token = '';
    beforeAll(async () => {
      portal = await ThreeServers.prepare();
    }, LIMIT_MS);
    afterAll(() => portal?.[Symbol.asyncDispose](), LIMIT_MS);

    const signIn = async (username: string): Promise<string> => {
      const before = portal.mails.length;
      return portal.client.signIn(username, () => portal.readCode(username, before));
    };
    const ask = (query = 'session.get') =>
      portal.client.get(`/api/trpc/${query}`, { authorization: `Bearer ${token}` });

    test(
      'start in production by the steps of the guide',
      async () => {
        await portal.migrate();
        for (const email of ADMINS) await portal.command('admin', 'create', email);
        await portal.startBalancer();
        portal.start('one');
        // systemd starts it again until there is a broker. Its secrets exist from now on.
        expect(await portal.servers.one.ended()).toBe(1);
        expect(portal.servers.one.output).toMatch(/Cannot connect to DEVICEPORTAL_MQTT_URL/);
        await portal.startBroker();
        portal.start('one');
        await portal.untilReady('one');
        await portal.copySecrets();
        for (const name of ['two', 'three'] as const) portal.start(name);
        await Promise.all([portal.untilReady('two'), portal.untilReady('three')]);
        for (const role of ['identity', 'web'])
          expect(await untilGroup(role, ['one', 'two'])).toBe(true);
      },
      LIMIT_MS,
    );

    test(
      'sign a user in through the load balancer, and answer a large query',
      async () => {
        token = await signIn(ADMINS[0]);
        expect(await ask()).toMatchObject({ status: 200 });
        // Nearly ten times what HAProxy accepts by default.
        const padding = 'x'.repeat(150_000);
        expect(await ask(`session.get?padding=${padding}`)).toMatchObject({ status: 200 });
      },
      LIMIT_MS,
    );

    test(
      'keep answering when one is killed, which the load balancer takes out of its groups',
      async () => {
        await portal.servers.one.end('SIGKILL');
        expect(await untilGroup('identity', ['two'])).toBe(true);
        expect(await untilGroup('gateway', ['three'])).toBe(true);
        expect(await untilGroup('web', ['two'])).toBe(true);
        for (let call = 0; call < 6; call += 1) expect(await ask()).toMatchObject({ status: 200 });
        await signIn(ADMINS[1]);
        portal.start('one');
        expect(await untilGroup('web', ['one', 'two'])).toBe(true);
      },
      LIMIT_MS,
    );

    /** Whether exactly these servers of a group get requests. */
    const untilGroup = (role: string, names: readonly string[]): Promise<boolean> =>
      until(async () => (await portal.readGroup(role)).join() === names.join(), LIMIT_MS / 4);
  },
);
