import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { randomSecret } from '../secrets/secret-hash.ts';
import { pageLanguage } from '../hosted-page/page-language.ts';
import { callerOf } from '../provider/wire/caller-of.ts';
import { success } from '../provider/wire/envelope.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { beginInteraction, limitInteractions } from './begin-interaction.ts';
import { originsOf, requireApplication, type ConnectionDeps } from './connection-deps.ts';
import { connectionRefusals } from './connection-refusals.ts';
import { isSocial, type WebConnection } from './connection.ts';
import { requireWebConnection } from './find-connection.ts';
import { readStartQuery, startSchema, stateSchema, type StartQuery } from './read-start-query.ts';

const announcedSchema = z.object({
  state: stateSchema,
  protocol: z.literal('oidc'),
  appId: z.string().max(64),
  userPoolId: z.string().max(64),
  referer: z.url().max(4_096),
  // The misspelling is the contract's.
  connection: z.object({ providerIentifier: z.string().max(64) }),
});

const placeSchema = z.object({ protocol: z.string(), identifier: z.string() });

/** Starts an external sign-in: announced by the client (OIDC), or by the window itself. */
export function registerStartRoutes(app: FastifyInstance, deps: ConnectionDeps): void {
  const { context, interactions } = deps;

  app.post('/api/v2/connections/oidc/start-interaction', async (request) => {
    const caller = await callerOf(context, request);
    await limitInteractions(deps, request.ip);
    const body = announcedSchema.parse(request.body);
    const identifier = body.connection.providerIentifier;
    requireWebConnection(context, { protocol: 'oidc', identifier });
    const targetOrigin = new URL(body.referer).origin;
    const application = await requireApplication(deps, body.appId);
    if (!originsOf(deps, application).includes(targetOrigin)) {
      throw new ProviderError(connectionRefusals.originNotAllowed);
    }
    const { appId } = application;
    const { language } = caller;
    const returnUrl = body.referer;
    const interaction = {
      ...{ identifier, appId, language, targetOrigin, returnUrl, tellsState: true },
    };
    if (!(await interactions.open(body.state, interaction))) {
      throw new ProviderError(connectionRefusals.interactionHasEnded);
    }
    return success();
  });

  app.get('/connections/social/:identifier', async (request, reply) => {
    const place = placeSchema.parse({ protocol: 'social', ...(request.params as object) });
    const query = startSchema.parse(request.query);
    const connection = requireWebConnection(context, place);
    return begin(deps, { connection, query, request, reply });
  });

  app.get('/connections/:protocol/:identifier/start', async (request, reply) => {
    const connection = requireWebConnection(context, placeSchema.parse(request.params));
    const query = startSchema.parse(request.query);
    return begin(deps, { connection, query, request, reply });
  });
}

/** Sends the window to the other side. */
async function begin(
  deps: ConnectionDeps,
  start: {
    readonly connection: WebConnection;
    readonly query: StartQuery;
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
  },
): Promise<FastifyReply> {
  const { connection, query, reply, request } = start;
  const { interactions } = deps;
  const { identifier } = connection;
  const isAnnounced = connection.protocol === 'oidc' && !isSocial(connection);
  if (isAnnounced) {
    const state = stateSchema.parse(query.state);
    const interaction = await interactions.read(state);
    if (interaction.identifier !== identifier) {
      throw new ProviderError(connectionRefusals.interactionHasEnded);
    }
    return beginInteraction(deps, reply, { connection, state, interaction, nonce: query.nonce });
  }
  const asked = await readStartQuery(deps, query, request);
  // A window has no headers of the client: what the browser prefers is what its person reads.
  const { headers } = request;
  const language = pageLanguage(query.lang, headers['accept-language']);
  const interaction = { ...asked, identifier, language };
  const state = randomSecret(32);
  await limitInteractions(deps, request.ip);
  await interactions.open(state, interaction);
  const { authorization_params: extra } = query;
  return beginInteraction(deps, reply, { connection, state, interaction, extra });
}
