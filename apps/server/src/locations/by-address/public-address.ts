import { BlockList, isIP, isIPv4 } from 'node:net';

/** Networks whose addresses say nothing about a country (RFC 6890, and what came after it). */
const everywhereNetworks = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const;

const everywhere = new BlockList();
for (const [network, bits] of everywhereNetworks) {
  everywhere.addSubnet(network, bits, isIPv4(network) ? 'ipv4' : 'ipv6');
}

/**
 * The address as a database of addresses knows it: an IPv4 address written as IPv6 is the IPv4 address again.
 *
 * @returns null for what is no address, and for private, loopback, link-local and other addresses that are used everywhere
 */
export function publicAddressOf(text: string): string | null {
  const [address = ''] = text.split('%');
  const plain = isIPv4(address) ? address : plainIPv6(address);
  if (plain === null) return null;
  return everywhere.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6') ? null : plain;
}

/** IPv4-mapped (RFC 4291, section 2.5.5.2). */
const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;
/** Translated by NAT64 (RFC 6052); the zeros that an address begins with are part of what is left out. */
const translated = /^64:ff9b::(?:(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4}))?$/;

function plainIPv6(address: string): string | null {
  if (isIP(address) === 0) return null;
  // As WHATWG URL writes it: in lower case, shortest, and without dots.
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const embedded = mapped.exec(written) ?? translated.exec(written);
  if (embedded === null) return written;
  const [, high = '0', low = '0'] = embedded;
  const bytes = [high, low].flatMap((part) => {
    const value = Number.parseInt(part, 16);
    return [value >> 8, value & 255];
  });
  return bytes.join('.');
}
