import ipaddr from 'ipaddr.js';

/**
 * A subscriber gets a /64 or larger (RFC 6177, section 2). Limits per address would allow 2^64
 * attempts.
 */
const SUBSCRIBER_BYTES = 8;

/**
 * The key by which all limiters count an address: an IPv4 address in its normal form, or the /64 of
 * an IPv6 address. Addresses that embed an IPv4 address count as that address, because one IPv4
 * address owns 65,536 networks of 6to4 (RFC 3056, section 2). Text that is not an address is its
 * own key.
 */
export function addressBucket(address: string): string {
  const [plain = ''] = address.split('%', 1);
  // `isValid` also accepts "12345" as an address (inet_aton). Numeric names are not converted.
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
