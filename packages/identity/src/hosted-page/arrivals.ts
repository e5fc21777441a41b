import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { WireLanguage } from '../provider/wire/provider-error.ts';
import { formSecret, isOwnForm } from './form-secret.ts';
import { sendGoOnPage } from './send-go-on-page.ts';

const PURPOSE = 'hosted-arrival';
const LIFE_MS = 5 * 60_000;

const arrivalSchema = z.object({
  uid: z.string(),
  /** Secret of the browser; the link is not valid in another one. */
  secret: z.string(),
  /** The sign-in that was made elsewhere. */
  sessionId: z.string().optional(),
  /** The first factor is done at an external provider, and a second one is required. */
  mfaToken: z.string().optional(),
  /** Error of the sign-in, in the language of the page. */
  error: z.string().optional(),
  /** Destination if no application waits at the page. */
  otherwise: z
    .object({ appId: z.string(), endPath: z.string(), serviceUrl: z.string() })
    .optional(),
});
export type Arrival = z.output<typeof arrivalSchema>;

type ArrivalContext = Pick<ProviderContext, 'hash' | 'settings' | 'tickets'>;

/** Sends a browser back to the page that it left for a sign-in elsewhere, with what came of it. */
export async function sendBackToPage(
  context: ArrivalContext,
  {
    hosted,
    language,
    reply,
    request,
    ...outcome
  }: Pick<Arrival, 'error' | 'mfaToken' | 'otherwise' | 'sessionId'> & {
    readonly hosted: { readonly kind: string; readonly uid: string };
    readonly language: WireLanguage;
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
  },
): Promise<FastifyReply> {
  const { kind, uid } = hosted;
  const secret = formSecret(context, { request, reply, uid });
  const data: Arrival = { uid, secret, ...outcome };
  const ticket = await context.tickets.issue({ purpose: PURPOSE, data, lifeMs: LIFE_MS });
  const url = `${context.settings.baseUrl}/interaction/${kind}/${uid}/login?arrival=${ticket}&lang=${language}`;
  return sendGoOnPage(context, { reply, language, url });
}

/**
 * Result of an external sign-in; returned once, in the browser and for the page where it started.
 * Undefined otherwise.
 */
export async function takeArrival(
  context: ArrivalContext,
  { request, text, uid }: { readonly request: FastifyRequest; text: string; uid: string },
): Promise<Arrival | undefined> {
  const ticket = await context.tickets.spend(PURPOSE, text).catch(() => undefined);
  const arrival = ticket && arrivalSchema.parse(ticket.data);
  if (arrival?.uid !== uid) return undefined;
  return isOwnForm(context, { request, uid, sent: arrival.secret }) ? arrival : undefined;
}
