import { isIPv6 } from 'node:net';

/**
 * Whom an address stands for. One subscriber has a whole /64 of IPv6 (RFC 6177): counted one by one, 2^64 addresses
 * would be as many tries.
 */
export function subscriberOf(address: string): string {
  if (!isIPv6(address)) return address;
  const plain = address.split('%', 1)[0] ?? '';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail = ''] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}
