import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sendBackToPage } from '../hosted-page/arrivals.ts';
import { keepBrowserSignIn } from '../hosted-page/browser-sign-in.ts';
import { mfaTokenOf } from '../mfa/mfa-refusals.ts';
import type { SignedIn } from '../sign-in/sign-ins.ts';
import { toWireUser } from '../users/wire-user.ts';
import type { Caller } from '../wire/caller.ts';
import { failure, success, type Envelope } from '../wire/envelope.ts';
import { ProviderError } from '../wire/provider-error.ts';
import { admitOutsidePerson } from './admit-outside-person.ts';
import { browserOf } from './browser-cookie.ts';
import {
  callbackUrlOf,
  originsOf,
  requireApplication,
  upstreamOf,
  type ConnectionDeps,
} from './connection-deps.ts';
import { connectionRefusals } from './connection-refusals.ts';
import { isSocial, type WebConnection } from './connection.ts';
import { pathOf, requireWebConnection } from './find-connection.ts';
import type { Interaction } from './interactions.ts';
import { prepareWindow, sendMessagePage } from './message-page.ts';
import type { OutsidePerson } from './outside-person.ts';

const placeSchema = z.object({ protocol: z.string(), identifier: z.string() });
const samlAnswerSchema = z.object({
  SAMLResponse: z.string().min(1).max(1_000_000),
  RelayState: z.string().min(16).max(512),
});

/** Where the browser comes back to from the other side. */
export function registerReturnRoutes(app: FastifyInstance, deps: ConnectionDeps): void {
  const { context, interactions } = deps;

  app.get('/connections/:protocol/:identifier/callback', async (request, reply) => {
    const connection = requireWebConnection(context, placeSchema.parse(request.params));
    const answer = new URL(request.raw.url ?? '', context.settings.baseUrl).searchParams;
    const state = answer.get('state') ?? '';
    const interaction = await interactions.spend(state, browserOf(request, state));
    requireSame(interaction, connection);
    return finish(deps, { request, reply, connection, interaction, state }, () =>
      askWho(deps, connection, { state, interaction, answer }),
    );
  });

  app.register(async (scope) => {
    // The answer of SAML is a form (Bindings, section 3.5).
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    scope.post('/connections/saml/:identifier/callback', async (request, reply) => {
      const { identifier } = z.object({ identifier: z.string() }).parse(request.params);
      const connection = requireWebConnection(context, { protocol: 'saml', identifier });
      const { SAMLResponse, RelayState: state } = samlAnswerSchema.parse(request.body);
      const interaction = await interactions.read(state);
      requireSame(interaction, connection);
      const answer = new URLSearchParams({ SAMLResponse });
      const person = await askWho(deps, connection, { state, interaction, answer });
      await interactions.change(state, { ...interaction, person });
      // A form from elsewhere comes without the browser's cookie; the page it is sent on to gets it.
      const next = `${context.settings.baseUrl}${pathOf(connection)}/finish?state=${encodeURIComponent(state)}`;
      return prepareWindow(reply).redirect(next, 303);
    });
  });

  app.get('/connections/saml/:identifier/finish', async (request, reply) => {
    const { identifier } = z.object({ identifier: z.string() }).parse(request.params);
    const connection = requireWebConnection(context, { protocol: 'saml', identifier });
    const { state } = z.object({ state: z.string().max(512) }).parse(request.query);
    const interaction = await interactions.spend(state, browserOf(request, state));
    requireSame(interaction, connection);
    return finish(deps, { request, reply, connection, interaction, state }, async () => {
      if (interaction.person === undefined) {
        throw new ProviderError(connectionRefusals.refusedElsewhere);
      }
      return interaction.person;
    });
  });
}

interface Return {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly connection: WebConnection;
  readonly interaction: Interaction;
  readonly state: string;
}

/** Signs in whom the other side vouches for, and tells the page that waits, whatever came of it. */
async function finish(
  deps: ConnectionDeps,
  { request, reply, connection, interaction, state }: Return,
  findWho: () => Promise<OutsidePerson>,
): Promise<FastifyReply> {
  const { context } = deps;
  const { language, targetOrigin } = interaction;
  const application = await requireApplication(deps, interaction.appId);
  const caller: Caller = {
    application,
    language,
    address: request.ip,
    userAgent: request.headers['user-agent'],
    requestId: request.id,
    token: undefined,
  };
  const outcome = await signIn().catch((error: unknown) => {
    if (!(error instanceof ProviderError)) {
      context.onInternalError(error, `connection ${connection.identifier}`);
    }
    return { error };
  });
  const { hosted } = interaction;
  if (hosted !== undefined) {
    const back = { hosted, language, reply, request };
    if ('error' in outcome) {
      const mfaToken = mfaTokenOf(outcome.error);
      const error = failure(outcome.error, language).message;
      return sendBackToPage(context, { ...back, ...(mfaToken ? { mfaToken } : { error }) });
    }
    const { sessionId } = outcome.issued;
    await keepBrowserSignIn(context, reply, sessionId);
    return sendBackToPage(context, { ...back, sessionId });
  }
  const said: Envelope =
    'error' in outcome
      ? failure(outcome.error, language)
      : success(toWireUser(outcome.user, outcome.issued));
  return sendMessagePage(reply, {
    language,
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

  async function signIn(): Promise<SignedIn> {
    const user = await admitOutsidePerson(context, connection, await findWho());
    const method = `${isSocial(connection) ? 'social' : connection.protocol}:${connection.identifier}`;
    return context.signIns.complete(user, caller, { method });
  }
}

/** @throws ProviderError refusedElsewhere, whatever the other side or the check of its answer said */
async function askWho(
  deps: ConnectionDeps,
  connection: WebConnection,
  returned: {
    readonly state: string;
    readonly interaction: Interaction;
    readonly answer: URLSearchParams;
  },
): Promise<OutsidePerson> {
  const { state, interaction, answer } = returned;
  const trip = { state, callbackUrl: callbackUrlOf(deps, connection) };
  try {
    const upstream = upstreamOf(deps, connection);
    return await upstream.finish(trip, interaction.memory ?? {}, answer);
  } catch (error) {
    deps.context.onInternalError(error, `connection ${connection.identifier}`);
    throw new ProviderError(connectionRefusals.refusedElsewhere);
  }
}

function requireSame({ identifier }: Interaction, connection: WebConnection): void {
  if (identifier === connection.identifier) return;
  throw new ProviderError(connectionRefusals.interactionHasEnded);
}
