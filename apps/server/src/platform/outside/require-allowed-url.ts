import { lookup } from 'node:dns/promises';
import { refuse } from '@deviceportal/contract/refuse';
import type { InternalHosts } from './internal-hosts.ts';
import { hostOf } from './request-outside.ts';

/**
 * Rejects an address that no request could be sent to. Each request checks it again, because names change.
 * @throws PortalError 2004
 */
export async function requireAllowedUrl(
  url: string,
  hosts: InternalHosts,
  field: readonly (string | number)[],
): Promise<void> {
  const host = hostOf(url);
  if (hosts.lists(host)) return;
  const more = { field, facts: { host } };
  if (new URL(url).protocol !== 'https:') throw refuse('alert-address-insecure', more);
  const addresses = await lookup(host, { all: true }).catch(() => []);
  if (!addresses.every(({ address }) => hosts.allows(host, address))) {
    throw refuse('alert-address-internal', more);
  }
}
