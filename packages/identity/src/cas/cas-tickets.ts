import { newId } from '@deviceportal/contract/ids';
import { z } from 'zod';
import type { ProviderContext } from '../provider/provider-context.ts';
import { findActiveUser } from '../oidc/find-account.ts';
import { findOpenSession } from '../sessions/provider-session-store.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import type { BrowserSignIn } from '../hosted-page/browser-sign-in.ts';
import { insertCasService } from './cas-service-store.ts';

const PURPOSE = 'cas-service';
const PREFIX = 'ST-';
/** CAS Protocol 3.0, section 3.1.1: short, because services redeem tickets immediately. */
const LIFE_MS = 60_000;

const dataSchema = z.object({
  appId: z.string(),
  service: z.string(),
  sessionId: z.string(),
  isFresh: z.boolean(),
});

/** Why a ticket is refused (CAS Protocol 3.0, section 2.5.3). */
export type CasFailure = 'INVALID_REQUEST' | 'INVALID_TICKET' | 'INVALID_SERVICE';

export type CasCheck =
  | { readonly user: ProviderUser; readonly failure?: undefined }
  | { readonly failure: CasFailure };

type CasContext = Pick<ProviderContext, 'box' | 'clock' | 'db' | 'tickets' | 'users'>;

/** @param isFresh whether the person has just shown who they are, for services that ask for it by `renew` */
export async function issueServiceTicket(
  { tickets }: Pick<CasContext, 'tickets'>,
  { user, session }: BrowserSignIn,
  ticket: { readonly appId: string; readonly service: string; readonly isFresh: boolean },
): Promise<string> {
  const data = { ...ticket, sessionId: session.id };
  return `${PREFIX}${await tickets.issue({ purpose: PURPOSE, userId: user.id, data, lifeMs: LIFE_MS })}`;
}

/**
 * Uses the ticket up, even if it is rejected (CAS Protocol 3.0, section 3.1.1). A service that gets
 * the user is notified when the session ends (section 2.3.3).
 */
export async function redeemServiceTicket(
  context: CasContext,
  asked: {
    readonly appId: string;
    readonly ticket: string | undefined;
    readonly service: string | undefined;
    readonly renew: boolean;
  },
): Promise<CasCheck> {
  const { appId, service, ticket } = asked;
  if (ticket === undefined || service === undefined) return { failure: 'INVALID_REQUEST' };
  if (!ticket.startsWith(PREFIX)) return { failure: 'INVALID_TICKET' };
  const spent = await context.tickets
    .spend(PURPOSE, ticket.slice(PREFIX.length))
    .catch(() => undefined);
  if (spent === undefined) return { failure: 'INVALID_TICKET' };
  const data = dataSchema.parse(spent.data);
  if (data.appId !== appId) return { failure: 'INVALID_TICKET' };
  if (data.service !== service) return { failure: 'INVALID_SERVICE' };
  if (asked.renew && !data.isFresh) return { failure: 'INVALID_TICKET' };
  const session = await findOpenSession(context.db, data.sessionId, new Date(context.clock.now()));
  const user = session && (await findActiveUser(context, session.userId));
  if (session === undefined || user === undefined) return { failure: 'INVALID_TICKET' };
  const id = newId();
  const kept = {
    id,
    sessionId: session.id,
    appId,
    service,
    ticketBox: context.box.seal(ticket, id),
  };
  await insertCasService(context.db, kept);
  return { user };
}
