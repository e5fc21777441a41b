import ipaddr from 'ipaddr.js';

/** Which addresses outside the public internet alerts, webhooks, and tickets may be sent to. */
export interface InternalHosts {
  /** Whether a host is listed by name, or as an address in a listed network. Then it can also be without TLS. */
  readonly lists: (host: string) => boolean;
  /** Whether a request to a host may connect to this address of it. */
  readonly allows: (host: string, address: string) => boolean;
}

type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** @param entries host names, addresses, and networks (`10.0.0.0/8`) */
export function internalHostsOf(entries: readonly string[]): InternalHosts {
  const names = new Set<string>();
  const networks: Network[] = [];
  for (const entry of entries) {
    const network = networkOf(entry);
    if (network === undefined) names.add(entry.toLowerCase());
    else networks.push(network);
  }
  const isInNetwork = (address: string): boolean => {
    const parsed = addressOf(address);
    return (
      parsed !== undefined &&
      networks.some(
        ([base, bits]) => base.kind() === parsed.kind() && parsed.match([base, bits] as never),
      )
    );
  };
  const lists = (host: string): boolean => names.has(host.toLowerCase()) || isInNetwork(host);
  return {
    lists,
    allows: (host, address) => lists(host) || isInNetwork(address) || isPublic(address),
  };
}

/** Globally unique addresses that contain no address of another kind (RFC 6890, RFC 6052, RFC 3056). */
function isPublic(text: string): boolean {
  return addressOf(text)?.range() === 'unicast';
}

/** An IPv4 address written as IPv6 is an IPv4 address. */
function addressOf(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const [plain = ''] = text.split('%');
  if (!ipaddr.IPv4.isValidFourPartDecimal(plain) && !ipaddr.IPv6.isValid(plain)) return undefined;
  return ipaddr.process(plain);
}

function networkOf(entry: string): Network | undefined {
  if (entry.includes('/')) return ipaddr.isValidCIDR(entry) ? ipaddr.parseCIDR(entry) : undefined;
  const address = addressOf(entry);
  return address && [address, address.kind() === 'ipv4' ? 32 : 128];
}
