import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendBackToPage } from '../hosted-page/arrivals.ts';
import { keepCustomValues } from '../custom-values/change-custom-values.ts';
import { keepBrowserSignIn } from '../hosted-page/browser-sign-in.ts';
import { mfaTokenOf } from '../mfa/mfa-refusals.ts';
import type { SignedIn } from '../sign-in/sign-ins.ts';
import type { Caller } from '../provider/wire/caller.ts';
import { failure, success, type Envelope } from '../provider/wire/envelope.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { admitOutsidePerson } from './admit-outside-person.ts';
import { originsOf, requireApplication, type ConnectionDeps } from './connection-deps.ts';
import { isSocial, type WebConnection } from './connection.ts';
import type { Interaction } from './interactions.ts';
import { sendMessagePage } from './message-page.ts';
import type { OutsidePerson } from './outside-person.ts';
import { issueEnd } from './register-end-route.ts';
import { sendRelay } from './send-relay.ts';
import { showAsWished, wishedValues, wishesSchema } from './wishes.ts';

/** A browser that has come back. */
interface Return {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly connection: WebConnection;
  readonly interaction: Interaction;
  readonly state: string;
}

type Outcome = SignedIn | { readonly error: unknown };

/**
 * Signs in the user whom the external provider authenticated, and reports the result to the waiting
 * page.
 */
export async function finishInteraction(
  deps: ConnectionDeps,
  back: Return,
  findWho: () => Promise<OutsidePerson>,
): Promise<FastifyReply> {
  const { context } = deps;
  const { connection, interaction, reply, request, state } = back;
  const { hosted, language, relay, returnUrl, targetOrigin } = interaction;
  const wishes = interaction.wishes ?? wishesSchema.parse({});
  const application = await requireApplication(deps, interaction.appId);
  const caller: Caller = {
    application,
    language,
    address: request.ip,
    userAgent: request.headers['user-agent'],
    requestId: request.id,
    token: undefined,
  };
  const type = isSocial(connection) ? 'social' : connection.protocol;
  const outcome = await findWho()
    .then(async (person): Promise<Outcome> => {
      const user = await admitOutsidePerson(context, connection, person);
      // A page of this provider gets them at the end, with its ticket.
      const values = hosted === undefined ? wishedValues(wishes) : [];
      return context.signIns.complete(user, caller, {
        method: `${type}:${connection.identifier}`,
        prepare: (client) => keepCustomValues(context, client, { user, caller }, values),
      });
    })
    .catch((error: unknown): Outcome => {
      if (!(error instanceof ProviderError)) {
        context.onInternalError(error, `connection ${connection.identifier}`);
      }
      return { error };
    });
  if (!('error' in outcome)) await keepBrowserSignIn(context, reply, outcome.issued.sessionId);
  if (hosted !== undefined) return sendToPage(deps, back, outcome);
  const said: Envelope =
    'error' in outcome
      ? failure(outcome.error, language)
      : success(await showAsWished(context, outcome.user, { wishes, issued: outcome.issued }));
  if (relay?.targetUrl !== undefined && relay.method !== 'web_message') {
    return sendRelay(context, { reply, language, relay, said });
  }
  return sendMessagePage(reply, {
    language,
    returnUrl,
    origins: targetOrigin === undefined ? originsOf(deps, application) : [targetOrigin],
    message: {
      ...said,
      event: {
        source: 'authing',
        eventType: isSocial(connection) ? 'socialLogin' : 'enterpriseLogin',
      },
      ...(interaction.tellsState && { state }),
    },
  });
}

/** Back to the page of this provider that the browser left. */
async function sendToPage(
  { context }: ConnectionDeps,
  { interaction, reply, request }: Return,
  outcome: Outcome,
): Promise<FastifyReply> {
  const { hosted = { kind: '', uid: '' }, language } = interaction;
  const sessionId = 'error' in outcome ? undefined : outcome.issued.sessionId;
  const otherwise =
    hosted.isUnsure === true
      ? await issueEnd(context, interaction, { sessionId, reply, request })
      : undefined;
  const back = { hosted, language, otherwise, reply, request };
  if (!('error' in outcome)) return sendBackToPage(context, { ...back, sessionId });
  const mfaToken = mfaTokenOf(outcome.error);
  const error = failure(outcome.error, language).message;
  return sendBackToPage(context, { ...back, ...(mfaToken ? { mfaToken } : { error }) });
}
