import { expect, test } from 'vitest';
import { addressBucket } from './address-bucket.ts';

test('counts all addresses of an IPv6 subscriber as one', () => {
  const one = addressBucket('2001:db8:1:2::1');
  expect(one).toBe('2001:db8:1:2::/64');
  expect(addressBucket('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(one);
  expect(addressBucket('2001:0DB8:0001:0002:0:0:0:9')).toBe(one);
  expect(addressBucket('2001:db8:1:3::1')).not.toBe(one);
  expect(addressBucket('2001:db8::1')).not.toBe(addressBucket('2001:db8:1::1'));
});

test('normalizes all notations of an IPv4 address', () => {
  expect(addressBucket('192.0.2.7')).toBe('192.0.2.7');
  expect(addressBucket('::ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(addressBucket('::ffff:c000:207')).toBe('192.0.2.7');
  expect(addressBucket('2002:c000:207:1::1')).toBe('192.0.2.7');
  expect(addressBucket('2002:c000:207:ffff::1')).toBe('192.0.2.7');
  expect(addressBucket('64:ff9b::192.0.2.7')).toBe('192.0.2.7');
});

test('ignores zones, and returns text that is not an address unchanged', () => {
  expect(addressBucket('fe80::1%eth0')).toBe('fe80::/64');
  expect(addressBucket('::1')).toBe('::/64');
  expect(addressBucket('')).toBe('');
  expect(addressBucket('unknown')).toBe('unknown');
  expect(addressBucket('12345')).toBe('12345');
});
