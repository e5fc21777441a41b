import type { InternalHosts } from './internal-hosts.ts';
import { requestOutside, type OutsideRequest } from './request-outside.ts';

export type OutsidePost = Required<Omit<OutsideRequest, 'method'>>;

/**
 * Sends a `POST` request to an address that a user entered.
 * @returns the HTTP status; the body is not read
 * @throws as `requestOutside`
 */
export async function postOutside(
  post: OutsidePost,
  hosts: InternalHosts,
  limitMs?: number,
): Promise<number> {
  const limits = limitMs === undefined ? {} : { limitMs };
  const { status } = await requestOutside({ ...post, method: 'POST' }, hosts, limits);
  return status;
}
