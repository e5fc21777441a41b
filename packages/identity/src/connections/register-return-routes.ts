import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { readFormBodies } from '../provider/wire/read-form-bodies.ts';
import { browserOf } from './browser-cookie.ts';
import { callbackUrlOf, upstreamOf, type ConnectionDeps } from './connection-deps.ts';
import { connectionRefusals } from './connection-refusals.ts';
import type { WebConnection } from './connection.ts';
import { pathOf, requireWebConnection } from './find-connection.ts';
import { finishInteraction } from './finish-interaction.ts';
import type { Interaction } from './interactions.ts';
import { prepareWindow } from './message-page.ts';
import { registerEndRoute } from './register-end-route.ts';
import type { OutsidePerson } from './outside-person.ts';

const placeSchema = z.object({ protocol: z.string(), identifier: z.string() });
const samlAnswerSchema = z.object({
  SAMLResponse: z.string().min(1).max(1_000_000),
  RelayState: z.string().min(16).max(512),
});

const SAML_ANSWER_BYTES = 1_048_576;

/** Callback routes of external providers. */
export function registerReturnRoutes(app: FastifyInstance, deps: ConnectionDeps): void {
  const { context, interactions } = deps;

  app.get('/connections/:protocol/:identifier/callback', async (request, reply) => {
    const connection = requireWebConnection(context, placeSchema.parse(request.params));
    const answer = new URL(request.raw.url ?? '', context.settings.baseUrl).searchParams;
    const state = answer.get('state') ?? '';
    const interaction = await interactions.spend(state, browserOf(request, state));
    requireSame(interaction, connection);
    return finishInteraction(deps, { request, reply, connection, interaction, state }, () =>
      askWho(deps, connection, { state, interaction, answer }),
    );
  });

  registerEndRoute(app, deps);

  app.register(async (scope) => {
    // The answer of SAML is a form (Bindings, section 3.5).
    readFormBodies(scope, SAML_ANSWER_BYTES);
    scope.post('/connections/saml/:identifier/callback', async (request, reply) => {
      const { identifier } = z.object({ identifier: z.string() }).parse(request.params);
      const connection = requireWebConnection(context, { protocol: 'saml', identifier });
      const { SAMLResponse, RelayState: state } = samlAnswerSchema.parse(request.body);
      const interaction = await interactions.read(state);
      requireSame(interaction, connection);
      const answer = new URLSearchParams({ SAMLResponse });
      const person = await askWho(deps, connection, { state, interaction, answer }).catch(
        async (error: unknown) => {
          // One answer to one request: a wrong one is not tried again and again.
          await interactions.end(state);
          throw error;
        },
      );
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
    return finishInteraction(deps, { request, reply, connection, interaction, state }, async () => {
      if (interaction.person === undefined) {
        throw new ProviderError(connectionRefusals.refusedElsewhere);
      }
      return interaction.person;
    });
  });
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
