import type { FastifyReply } from 'fastify';
import { randomSecret } from '../secrets/secret-hash.ts';
import { beginInteraction, limitInteractions } from '../connections/begin-interaction.ts';
import { connectionRefusals } from '../connections/connection-refusals.ts';
import { webConnections } from '../connections/find-connection.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import type { Visit } from './send-page.ts';

/**
 * Sends the browser to a provider elsewhere, and from there back to this page.
 * @throws ProviderError unknownConnection, unreachable, tooManyRequests
 */
export async function beginElsewhere(visit: Visit, identifier: string): Promise<FastifyReply> {
  const { connections: deps, kind, language, reply, request, uid, waiting } = visit;
  const connection = webConnections(deps.context).find((each) => each.identifier === identifier);
  if (connection === undefined) throw new ProviderError(connectionRefusals.unknownConnection);
  await limitInteractions(deps, request.ip);
  const state = randomSecret(32);
  const { appId } = waiting.application;
  const hosted = { kind, uid };
  const interaction = { identifier, appId, language, hosted, tellsState: false };
  await deps.interactions.open(state, interaction);
  // A required new sign-in is passed on, if the protocol supports it.
  const extra = waiting.mayReuseSignIn ? {} : { prompt: 'login' };
  return beginInteraction(deps, reply, { connection, state, interaction, extra });
}
