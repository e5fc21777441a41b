import { randomUUID } from 'node:crypto';
import type { ProviderContext } from '../provider/provider-context.ts';
import { isAllowedAddress } from '../hosted-page/allowed-address.ts';
import {
  deleteCasServices,
  takeCasServicesToTell,
  type ToldCasService,
} from './cas-service-store.ts';

const AT_ONCE = 20;
const RETRY_MS = 60_000;
const MOST_ATTEMPTS = 5;
const TIMEOUT_MS = 5_000;

export type TellContext = Pick<
  ProviderContext,
  'box' | 'clock' | 'db' | 'everyApplication' | 'onInternalError'
>;

/**
 * Notifies services that the session with which a user signed in has ended (CAS Protocol 3.0,
 * section 2.3.3). Failed requests are retried a few times; response bodies are ignored. Several
 * servers share the work.
 * @param sessionId only those of this session
 */
export async function tellCasServices(context: TellContext, sessionId?: string): Promise<void> {
  const { clock, db } = context;
  for (;;) {
    const nowMs = clock.now();
    const taken = await takeCasServicesToTell(db, {
      now: new Date(nowMs),
      retryAt: new Date(nowMs + RETRY_MS),
      limit: AT_ONCE,
      sessionId,
    });
    if (taken.length === 0) return;
    const done = await Promise.all(
      taken.map(async (service) => ((await isDone(context, service)) ? [service.id] : [])),
    );
    await deleteCasServices(db, done.flat());
  }
}

async function isDone(context: TellContext, told: ToldCasService): Promise<boolean> {
  const { appId, attempts, id, service, ticketBox } = told;
  const application = await context.everyApplication.find(appId);
  // The address may have been taken from the application since.
  if (!isAllowedAddress(service, application?.redirectUris ?? [])) return true;
  try {
    const ticket = context.box.open(ticketBox, id);
    await post(service, logoutRequest(ticket, new Date(context.clock.now())));
    return true;
  } catch (error) {
    if (attempts < MOST_ATTEMPTS) return false;
    context.onInternalError(error, `notification of ${service} about an ended sign-in`);
    return true;
  }
}

/** @throws Error without a response, or if the service failed */
async function post(service: string, xml: string): Promise<void> {
  const { body, status } = await fetch(service, {
    method: 'POST',
    body: new URLSearchParams({ logoutRequest: xml }),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await body?.cancel();
  if (status >= 500) throw new Error(`answered ${status}`);
}

/** The message of section 2.3.3.2; texts are our own and need no escape. */
function logoutRequest(ticket: string, at: Date): string {
  return (
    `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="LR-${randomUUID()}" Version="2.0" IssueInstant="${at.toISOString()}">` +
    '<saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">@NOT_USED@</saml:NameID>' +
    `<samlp:SessionIndex>${ticket}</samlp:SessionIndex></samlp:LogoutRequest>`
  );
}
