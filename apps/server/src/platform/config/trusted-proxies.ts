import { isIP } from 'node:net';

/**
 * Minimum prefix length. Private networks have 8 bits or more (RFC 1918, RFC 4193); a wider network
 * would include public addresses.
 */
const LEAST_BITS = 8;

/** One entry of `DEVICEPORTAL_TRUST_PROXY`: an address, a network, or a keyword. */
export const trustedProxy = {
  test(entry: string): boolean {
    if (['on', 'off', 'loopback'].includes(entry)) return true;
    const [address = '', bits, ...rest] = entry.split('/');
    const version = isIP(address);
    if (version === 0 || rest.length > 0) return false;
    if (bits === undefined) return true;
    const mostBits = version === 4 ? 32 : 128;
    return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) >= LEAST_BITS && Number(bits) <= mostBits;
  },
};

/** The format for Fastify. */
export function trustedProxiesOf(entries: readonly string[]): readonly string[] {
  return entries
    .filter((entry) => entry !== 'off')
    .map((entry) => (entry === 'on' ? 'loopback' : entry));
}
