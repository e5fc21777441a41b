import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { say } from '../core/language.ts';
import { invalidArgument } from './token-endpoint.ts';

export interface Ticket {
  readonly ticket: string;
  readonly service: string;
}

export interface TicketCheck {
  readonly valid: boolean;
  readonly message?: string;
}

/** CAS 1: whether a ticket is valid for a service. */
export async function validateTicketV1(
  client: IdentityClient,
  { ticket, service }: Ticket,
  { signal }: CallOptions = {},
): Promise<TicketCheck> {
  const path = `/cas-idp/${client.options.appId}/validate`;
  const answer = await client.raw({ method: 'GET', path, query: { service, ticket }, signal });
  const [first] = String(answer).split('\n');
  if (first?.trim() === 'yes') return { valid: true };
  const message = say(client.options.lang, { zh: 'ticket 不合法', en: 'ticket invalid' });
  return { valid: false, message };
}

/** CAS 2: the user of a ticket, as an object or as XML. */
export async function validateTicketV2(
  client: IdentityClient,
  { ticket, service, format = 'JSON' }: Ticket & { readonly format?: 'XML' | 'JSON' | undefined },
  { signal }: CallOptions = {},
): Promise<unknown> {
  if (!ticket) throw invalidArgument(client, '请提供 ticket', 'ticket is missing');
  if (!service) throw invalidArgument(client, '请提供 service', 'service is missing');
  if (format !== 'XML' && format !== 'JSON') {
    throw invalidArgument(client, 'format 只能是 XML 或 JSON', 'format must be XML or JSON');
  }
  const path = `/cas-idp/${client.options.appId}/serviceValidate`;
  return client.raw({ method: 'GET', path, query: { service, ticket, format }, signal });
}

/** Whether this browser has a session at the provider, and the user of it. */
export async function trackSession(
  client: IdentityClient,
  { signal }: CallOptions = {},
): Promise<unknown> {
  return client.raw({ method: 'GET', path: '/cas/session', signal });
}
