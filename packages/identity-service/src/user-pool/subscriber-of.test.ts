import { expect, test } from 'vitest';
import { subscriberOf } from './subscriber-of.ts';

test('[limit-address-1] all addresses of one IPv6 subscriber are one', () => {
  const one = subscriberOf('2001:db8:1:2::1');
  expect(subscriberOf('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(one);
  expect(subscriberOf('2001:0DB8:0001:0002:0:0:0:9')).toBe(one);
  expect(subscriberOf('2001:db8:1:3::1')).not.toBe(one);
  expect(subscriberOf('2001:db8::1')).not.toBe(subscriberOf('2001:db8:1::1'));
});

test('[limit-address-2] IPv4 addresses stay themselves, however they are written', () => {
  expect(subscriberOf('192.0.2.7')).toBe('192.0.2.7');
  expect(subscriberOf('::ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(subscriberOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  expect(subscriberOf('::1')).toBe('0:0:0:0::/64');
});
