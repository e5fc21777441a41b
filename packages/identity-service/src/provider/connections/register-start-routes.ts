import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { randomSecret } from '../../secrets/secret-hash.ts';
import { callerOf, languageOf } from '../wire/caller.ts';
import { success } from '../wire/envelope.ts';
import { ProviderError, type WireLanguage } from '../wire/provider-error.ts';
import { beginInteraction, limitInteractions } from './begin-interaction.ts';
import { originsOf, requireApplication, type ConnectionDeps } from './connection-deps.ts';
import { connectionRefusals } from './connection-refusals.ts';
import { isSocial, type WebConnection } from './connection.ts';
import { requireWebConnection } from './find-connection.ts';
import type { Interaction } from './interactions.ts';

const stateSchema = z.string().min(16).max(512);

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

const startSchema = z.object({
  app_id: z.string().max(64).optional(),
  client_id: z.string().max(64).optional(),
  lang: z.enum(['zh-CN', 'en-US']).optional(),
  state: stateSchema.optional(),
  nonce: stateSchema.optional(),
  relay_method: z.literal('web_message').optional(),
});

/** Where a sign-in elsewhere begins: announced by the client (OIDC), or with the window itself. */
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
    const interaction = { identifier, appId, language, targetOrigin, tellsState: true };
    if (!(await interactions.open(body.state, interaction))) {
      throw new ProviderError(connectionRefusals.interactionHasEnded);
    }
    return success();
  });

  app.get('/connections/social/:identifier', async (request, reply) => {
    const place = placeSchema.parse({ protocol: 'social', ...(request.params as object) });
    const query = startSchema.parse(request.query);
    const connection = requireWebConnection(context, place);
    return begin(deps, reply, {
      connection,
      query,
      language: languageOf(request),
      address: request.ip,
    });
  });

  app.get('/connections/:protocol/:identifier/start', async (request, reply) => {
    const connection = requireWebConnection(context, placeSchema.parse(request.params));
    const query = startSchema.parse(request.query);
    return begin(deps, reply, {
      connection,
      query,
      language: languageOf(request),
      address: request.ip,
    });
  });
}

/** Sends the window to the other side, and remembers by which browser it came. */
async function begin(
  deps: ConnectionDeps,
  reply: FastifyReply,
  start: {
    readonly connection: WebConnection;
    readonly query: z.output<typeof startSchema>;
    readonly language: WireLanguage;
    readonly address: string;
  },
): Promise<FastifyReply> {
  const { connection, query } = start;
  const { context, interactions } = deps;
  const isAnnounced = connection.protocol === 'oidc' && !isSocial(connection);
  const state = isAnnounced ? stateSchema.parse(query.state) : randomSecret(32);
  const interaction: Interaction = isAnnounced
    ? await interactions.read(state)
    : {
        identifier: connection.identifier,
        appId: (await requireApplication(deps, query.app_id ?? context.settings.application.id))
          .appId,
        language: query.lang ?? start.language,
        tellsState: false,
      };
  if (interaction.identifier !== connection.identifier) {
    throw new ProviderError(connectionRefusals.interactionHasEnded);
  }
  if (!isAnnounced) {
    await limitInteractions(deps, start.address);
    await interactions.open(state, interaction);
  }
  const nonce = isAnnounced ? query.nonce : undefined;
  return beginInteraction(deps, reply, { connection, state, interaction, nonce });
}
