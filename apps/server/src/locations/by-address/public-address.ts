import ipaddr from 'ipaddr.js';

/** Translated by NAT64 (RFC 6052): the IPv4 address is the end of it. */
const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** Ranges whose addresses belong to one place (RFC 6890, and what came after it). */
const somewhere: ReadonlySet<string> = new Set(['unicast', '6to4']);

/**
 * The address as a database of addresses knows it: an IPv4 address written as IPv6 is the IPv4 address again.
 *
 * @returns null for what is no address, and for private, loopback, link-local and other addresses that are used everywhere
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
