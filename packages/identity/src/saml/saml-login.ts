import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { isAllowedAddress } from '../hosted-page/allowed-address.ts';
import { findBrowserSignIn } from '../hosted-page/browser-sign-in.ts';
import { escapeHtml } from '../hosted-page/escape-html.ts';
import { formTargetOf, pageFrame, pageHeaders } from '../hosted-page/page-frame.ts';
import { pageLanguage } from '../hosted-page/page-language.ts';
import { pageWords } from '../hosted-page/page-words.ts';
import { sendMessage } from '../hosted-page/send-message.ts';
import { openServiceSignIn } from '../hosted-page/service-sign-ins.ts';
import { readClaims } from '../oidc/find-account.ts';
import { isForced, issuerIn, parseLogin, readSaml, type SentSaml } from './read-saml-request.ts';
import type { SamlVisit } from './saml-visit.ts';
import { samlPartiesOf } from './saml-parties.ts';
import { samlResponse } from './saml-response.ts';

const PURPOSE = 'saml-sign-in';
const LIFE_MS = 60 * 60_000;

const waitingSchema = z.object({
  appId: z.string(),
  acsUrl: z.string(),
  issuer: z.string().optional(),
  requestId: z.string().optional(),
  relayState: z.string().optional(),
  notBefore: z.number(),
});
type Waiting = z.output<typeof waitingSchema>;

/**
 * Accepts a request, or none, and continues at a URL of this provider, because a form of another
 * site sends no cookies.
 */
export async function startSamlLogin(visit: SamlVisit): Promise<FastifyReply> {
  const { application, context, reply } = visit;
  let waiting: Waiting;
  try {
    waiting = await readWaiting(visit, await readSaml(visit.request));
  } catch (error) {
    return refuse(visit, error instanceof Error ? error.message : String(error));
  }
  const id = await context.tickets.issue({ purpose: PURPOSE, data: waiting, lifeMs: LIFE_MS });
  const resumePath = `/api/v2/saml-idp/${application.appId}/continue?id=${id}`;
  return reply.redirect(`${context.settings.baseUrl}${resumePath}`, 303);
}

/** Responds to the service provider if a user is signed in; otherwise requires a sign-in. */
export async function continueSamlLogin(visit: SamlVisit): Promise<FastifyReply> {
  const { application, context, reply, request } = visit;
  const { appId } = application;
  const { id } = z.object({ id: z.string().max(128) }).parse(request.query);
  const ticket = await context.tickets.read(PURPOSE, id).catch(() => undefined);
  const waiting = ticket && waitingSchema.parse(ticket.data);
  if (waiting?.appId !== appId)
    return refuse(visit, 'The sign-in timed out or is already completed');
  const signIn = await findBrowserSignIn(context, request.headers);
  if (signIn === undefined || signIn.session.createdAt.getTime() < waiting.notBefore) {
    const page = await openServiceSignIn(context, {
      appId,
      resumePath: `/api/v2/saml-idp/${appId}/continue?id=${id}`,
      cancelUrl: new URL(waiting.acsUrl).origin,
      serviceUrl: waiting.acsUrl,
      notBefore: waiting.notBefore,
    });
    return reply.redirect(page, 303);
  }
  // One answer to one request.
  const spent = await context.tickets.spend(PURPOSE, id).catch(() => undefined);
  if (spent === undefined) return refuse(visit, 'already completed');
  const { issuer, requestId } = waiting;
  const parties = await samlPartiesOf(context, application, {
    certificate: visit.certificate,
    issuer,
  });
  const response = await samlResponse(parties, {
    signIn,
    claims: await readClaims(context, signIn.user),
    acsUrl: waiting.acsUrl,
    requestId,
    nowMs: context.clock.now(),
  });
  return sendForm(visit, waiting, response);
}

async function readWaiting(
  { application, certificate, context }: SamlVisit,
  saml: SentSaml,
): Promise<Waiting> {
  const { appId } = application;
  const issuer = issuerIn(saml);
  const parties = await samlPartiesOf(context, application, { certificate, issuer });
  const { acsUrls } = parties.service;
  const base = { appId, issuer, relayState: saml.relayState };
  if (saml.message === undefined) return { ...base, acsUrl: firstOf(acsUrls), notBefore: 0 };
  const { request = {} } = await parseLogin(parties, saml);
  const asked = request['assertionConsumerServiceUrl'];
  const acsUrl = typeof asked === 'string' && asked !== '' ? asked : firstOf(acsUrls);
  if (!isAllowedAddress(acsUrl, acsUrls)) {
    throw new Error('AssertionConsumerServiceURL: this URL is not registered for the application');
  }
  return {
    ...base,
    acsUrl,
    requestId: z.string().max(256).parse(request['id']),
    notBefore: isForced(saml) ? context.clock.now() : 0,
  };
}

function firstOf(acsUrls: readonly string[]): string {
  const [first] = acsUrls;
  if (first === undefined) throw new Error('the application has no URL for assertions');
  return first;
}

/**
 * A form that is submitted to the service provider automatically, or by a button (SAML 2.0
 * bindings, section 3.5.4).
 */
function sendForm(
  { context, reply, request }: SamlVisit,
  { acsUrl, relayState }: Waiting,
  response: string,
): FastifyReply {
  const language = pageLanguage(request.headers['accept-language']);
  const words = pageWords(language);
  const hidden = (name: string, value: string): string =>
    `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;
  const relay = relayState === undefined ? '' : hidden('RelayState', relayState);
  const body = `<p>${escapeHtml(words.goOnHint)}</p><form method="post" action="${escapeHtml(acsUrl)}" data-go-on>${hidden('SAMLResponse', response)}${relay}<button type="submit">${escapeHtml(words.goOn)}</button></form>`;
  const hosted = `${context.settings.baseUrl}/hosted`;
  return reply
    .headers(pageHeaders([formTargetOf(acsUrl)]))
    .send(pageFrame(hosted, { language, title: words.signIn, body }));
}

function refuse({ context, request, reply }: SamlVisit, reason: string): Promise<FastifyReply> {
  return sendMessage(context, { request, reply }, 'requestRefused', reason);
}
