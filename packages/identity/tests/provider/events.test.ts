import { setTimeout as sleep } from 'node:timers/promises';
import { AuthenticationClient } from 'authing-js-sdk';
import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProvider } from '../../src/provider/provider.ts';
import { openProvider, type OpenProvider } from './support/open-provider.ts';
import { call, signIn } from './support/rest-calls.ts';

let idp: OpenProvider;

beforeAll(async () => {
  idp = await openProvider();
});
afterAll(() => idp[Symbol.asyncDispose]());

interface Subscriber {
  readonly heard: string[];
  readonly socket: WebSocket;
  readonly closed: Promise<number>;
}

async function subscribe(name: string, token: string, host = idp.host): Promise<Subscriber> {
  const path = `/events/v1/authentication/sub?code=${name}&token=${token}`;
  const socket = new WebSocket(host.replace('http:', 'ws:') + path);
  const heard: string[] = [];
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<number>();
  socket.addEventListener('open', () => opened.resolve());
  socket.addEventListener('error', () => opened.reject(new Error('refused')));
  socket.addEventListener('close', ({ code }) => closed.resolve(code));
  socket.addEventListener('message', ({ data }) => heard.push(String(data)));
  await opened.promise;
  return { heard, socket, closed: closed.promise };
}

const publish = (token: string, eventType: string, eventData: string) =>
  call(idp, 'POST', '/api/v3/pub-userEvent', {
    body: { eventType, eventData, source: 'test' },
    token,
  });

describe('realtime events', () => {
  it('the unchanged public package publishes, and receives on another client', async () => {
    const email = 'ada@example.com';
    await idp.makeUser({ email, password: 'Correct horse 1' });
    const options = {
      appId: idp.appId,
      appHost: idp.host,
      socketUri: idp.host.replace('http', 'ws'),
    };
    const [one, other] = [new AuthenticationClient(options), new AuthenticationClient(options)];
    await one.loginByEmail(email, 'Correct horse 1');
    const user = await other.loginByEmail(email, 'Correct horse 1');
    const heard: unknown[] = [];
    other.event.sub(
      'device.moved',
      (text: unknown) => void heard.push(text),
      () => undefined,
    );
    const witness = await subscribe('device.moved', user.token ?? '');
    await expect
      .poll(
        async () => {
          await one.event.pub('device.moved', JSON.stringify({ to: '北京' }));
          return heard.length;
        },
        { timeout: 10_000, interval: 300 },
      )
      .toBeGreaterThan(0);
    expect(heard[0]).toBe('{"to":"北京"}');
    expect(witness.heard).toContain('{"to":"北京"}');
    witness.socket.close();
  });

  it('events are received in order, by name, and only by the same user', async () => {
    const { token } = await signIn(idp, 'grace@example.com');
    const stranger = await signIn(idp, 'eve@example.com');
    const mine = await subscribe('a', token);
    const otherName = await subscribe('b', token);
    const theirs = await subscribe('a', stranger.token);
    const sent = Array.from({ length: 30 }, (_, index) => String(index));
    for (const data of sent) await publish(token, 'a', data);
    await publish(token, 'b', 'end');
    await expect.poll(() => otherName.heard, { timeout: 10_000 }).toEqual(['end']);
    await expect.poll(() => mine.heard, { timeout: 10_000 }).toEqual(sent);
    expect(theirs.heard).toEqual([]);
    for (const { socket } of [mine, otherName, theirs]) socket.close();
  });

  it('events of one server reach subscribers of another; events during a lost connection are delivered later', async () => {
    const { token } = await signIn(idp, 'hopper@example.com');
    await using other = await secondServer();
    const subscriber = await subscribe('a', token, other.host);
    await publish(token, 'a', 'first');
    await expect.poll(() => subscriber.heard, { timeout: 5_000 }).toEqual(['first']);
    await idp.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query like 'listen %'`,
    );
    await publish(token, 'a', 'while nobody listened');
    await expect
      .poll(() => subscriber.heard, { timeout: 10_000 })
      .toEqual(['first', 'while nobody listened']);
    await publish(token, 'a', 'again');
    await expect.poll(() => subscriber.heard.at(-1), { timeout: 10_000 }).toBe('again');
    expect(subscriber.heard).toHaveLength(3);
    subscriber.socket.close();
  });

  it('subscribing requires a sign-in, and the socket ends with it', async () => {
    for (const token of ['null', '', 'x.y.z', '%00']) {
      await expect(subscribe('a', token)).rejects.toThrow('refused');
    }
    const { token } = await signIn(idp, 'lovelace@example.com');
    await expect(subscribe('', token)).rejects.toThrow('refused');
    const subscriber = await subscribe('a', token);
    const session = await idp.context.tokens.verify(token);
    await idp.context.tokens.endSession(session?.session.id ?? '');
    expect(await Promise.race([subscriber.closed, sleep(15_000)])).toBe(4401);
  });

  it('hostile input is rejected without an internal error', async () => {
    const { token } = await signIn(idp, 'turing@example.com');
    const bodies = [
      {},
      { eventType: 1, eventData: 'x' },
      { eventType: 'a', eventData: '\0' },
      { eventType: '', eventData: 'x' },
      { eventType: 'a', eventData: 'x'.repeat(70_000) },
    ];
    for (const body of bodies) {
      expect((await call(idp, 'POST', '/api/v3/pub-userEvent', { body, token })).code).toBe(400);
    }
    const subscriber = await subscribe('a', token);
    subscriber.socket.send('x'.repeat(2_000));
    expect(await subscriber.closed).toBe(1009);
    const failures = idp.failures.filter(
      (error) => !String(error).includes('terminating connection'),
    );
    expect(failures).toEqual([]);
  });
});

/** Another server on the same database. */
async function secondServer(): Promise<AsyncDisposable & { readonly host: string }> {
  const app = fastify({ forceCloseConnections: true });
  const provider = await createProvider({
    pool: idp.pool,
    sealingKey: idp.sealingKey,
    messenger: { send: async () => undefined },
    settings: idp.provider.settings,
    onInternalError: () => undefined,
  });
  await app.register(provider.plugin, { prefix: '/idp' });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return { host: `${address}/idp`, [Symbol.asyncDispose]: () => app.close() };
}
