import { isIP } from 'node:net';

/** The site that passkeys are for. */
export interface RelyingParty {
  /** RP ID: the host of the portal's public URL. */
  readonly id: string;
  readonly origin: string;
  readonly name: string;
}

/**
 * @param address any URL below the portal's public URL
 * @returns undefined if browsers offer no passkeys there: an IP address, or plain http on another host than `localhost`
 */
export function relyingPartyOf(address: string): RelyingParty | undefined {
  const { hostname, origin, protocol } = new URL(address);
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) return undefined;
  if (protocol !== 'https:' && hostname !== 'localhost') return undefined;
  return { id: hostname, origin, name: 'Device Portal' };
}
