import ipaddr from 'ipaddr.js';

/** A subscriber is given a /64 or more (RFC 6177, section 2): counted one by one, 2^64 addresses would be as many tries. */
const SUBSCRIBER_BYTES = 8;

/**
 * What an address is counted as by every limiter: an IPv4 address as itself, however it is written, and an IPv6 address
 * as its /64. Addresses that carry an IPv4 address count as that one: a single IPv4 address owns 65,536 networks of
 * 6to4 (RFC 3056, section 2). Text that is no address is its own bucket.
 */
export function addressBucket(address: string): string {
  const [plain = ''] = address.split('%', 1);
  // `isValid` takes "12345" for an address, too (inet_aton): names that are numbers stay themselves.
  if (!ipaddr.IPv4.isValidFourPartDecimal(plain) && !ipaddr.IPv6.isValid(plain)) return address;
  const parsed = ipaddr.process(plain);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const bytes = parsed.toByteArray();
  const range = parsed.range();
  if (range === '6to4') return bytes.slice(2, 6).join('.');
  if (range === 'rfc6052') return bytes.slice(12).join('.');
  const network = bytes.map((byte, index) => (index < SUBSCRIBER_BYTES ? byte : 0));
  return `${ipaddr.fromByteArray(network).toString()}/64`;
}
