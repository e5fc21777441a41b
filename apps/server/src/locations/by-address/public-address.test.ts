import { isIPv4 } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { publicAddressOf } from './public-address.ts';

const hexadecimal = (address: string): string => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
};

test('normalizes an IPv4 address written in any form', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const plain = publicAddressOf(address);
      for (const written of [
        `::ffff:${address}`,
        `::FFFF:${address}`,
        `::ffff:${hexadecimal(address)}`,
        `0:0:0:0:0:ffff:${address}`,
        `64:ff9b::${address}`,
      ]) {
        expect(publicAddressOf(written), written).toBe(plain);
      }
      expect(plain === null || isIPv4(plain)).toBe(true);
    }),
    { examples: [['0.0.0.0'], ['0.0.1.2'], ['1.2.0.0']] },
  );
});

test.each([
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['224.0.0.0', '255.255.255.255', '223.255.255.255', '1.0.0.0'],
  ['fc00::', 'fdff:ffff::', 'fbff:ffff::', '2a00::'],
  ['fe80::', 'febf:ffff::', 'fe7f::', '2c0f::'],
])(
  'returns nothing for %s to %s, and an address for its neighbors',
  (first, last, before, after) => {
    expect(publicAddressOf(first)).toBeNull();
    expect(publicAddressOf(last)).toBeNull();
    expect(publicAddressOf(before)).toBe(before);
    expect(publicAddressOf(after)).toBe(after);
  },
);

test.each([
  '',
  'localhost',
  '::1',
  '::',
  'fe80::1%eth0',
  '1.2.3',
  '1.2.3.4.5',
  '1.2.3.4:80',
  '[::1]',
  'ff02::1',
  '2001:db8::1',
  '::ffff:10.1.2.3',
  '::ffff:7f00:1',
])('returns nothing for "%s"', (text) => {
  expect(publicAddressOf(text)).toBeNull();
});
