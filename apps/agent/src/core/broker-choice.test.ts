import { describe, expect, test } from 'vitest';
import { BrokerChoice } from './broker-choice.ts';

const [a, b, c] = ['mqtts://a:8883', 'mqtts://b:8883', 'mqtts://c:8883'];
const announced = (brokerUrls: string[]) => ({
  revision: 'r',
  brokerUrls,
  subscriptionQos: 1 as const,
  heartbeatSeconds: 60,
});

describe('the broker of a device', () => {
  test('is the one of its enrollment if the server announced no others', () => {
    const choice = new BrokerChoice({ identity: () => ({ brokerUrl: a }), random: () => 0.9 });
    expect(choice.next()).toBe(a);
    choice.failed(a);
    expect(choice.next()).toBe(a);
  });

  test('is any of the announced ones, so that a fleet is spread', () => {
    const identity = () => ({ brokerUrl: a, connection: announced([a, b, c]) });
    const first = [0, 0.4, 0.9].map((value) =>
      new BrokerChoice({ identity, random: () => value }).next(),
    );
    expect(first).toEqual([a, b, c]);
  });

  test('stays the same until it fails, and every other one is tried before it again', () => {
    const identity = () => ({ brokerUrl: a, connection: announced([a, b, c]) });
    const choice = new BrokerChoice({ identity, random: Math.random });
    const tried = [choice.next()];
    expect(choice.next()).toBe(tried[0]);
    for (let failures = 0; failures < 2; failures += 1) {
      choice.failed(choice.next());
      tried.push(choice.next());
    }
    expect(tried.toSorted()).toEqual([a, b, c]);
    choice.failed(choice.next());
    expect(choice.next()).not.toBe(tried[2]);
  });

  test('is the last one that worked if none of the announced ones is reached', () => {
    const identity = () => ({ brokerUrl: a, connection: announced([b, c]) });
    const choice = new BrokerChoice({ identity, random: () => 0 });
    const tried = [b, c, a, b].map(() => {
      const url = choice.next();
      choice.failed(url);
      return url;
    });
    expect(tried).toEqual([b, c, a, b]);
  });

  test('is one that the operator of the machine gave', () => {
    const identity = () => ({ brokerUrl: a, connection: announced([a, b]) });
    const choice = new BrokerChoice({ identity, given: [c], random: () => 0 });
    choice.failed(choice.next());
    expect(choice.next()).toBe(c);
  });
});
