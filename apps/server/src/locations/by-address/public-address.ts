import ipaddr from 'ipaddr.js';

/** Translated by NAT64 (RFC 6052): the IPv4 address is its last part. */
const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** Ranges with globally unique addresses (RFC 6890 and its successors). */
const somewhere: ReadonlySet<string> = new Set(['unicast', '6to4']);

/**
 * Normalizes an address for an address database: an IPv4 address written as IPv6 becomes IPv4.
 * @returns null for invalid addresses, and for private, loopback, link-local, and other addresses that are not
 * globally unique
 */
export function publicAddressOf(text: string): string | null {
  const [plain = ''] = text.split('%');
  if (!ipaddr.IPv4.isValidFourPartDecimal(plain) && !ipaddr.IPv6.isValid(plain)) return null;
  const address = withoutTranslation(ipaddr.process(plain));
  return somewhere.has(address.range()) ? address.toString() : null;
}

function withoutTranslation(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address instanceof ipaddr.IPv4 || !address.match(translated)) return address;
  return ipaddr.fromByteArray(address.toByteArray().slice(12));
}
