import type { FastifyReply } from 'fastify';
import type { RateLimitRule } from '../limits/rate-limits.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import { markBrowser } from './browser-cookie.ts';
import { callbackUrlOf, upstreamOf, type ConnectionDeps } from './connection-deps.ts';
import { connectionRefusals } from './connection-refusals.ts';
import type { WebConnection } from './connection.ts';
import type { Interaction } from './interactions.ts';
import { prepareWindow } from './message-page.ts';

/** Rate limit per address for starting interactions; unfinished ones expire. */
const rule: RateLimitRule = { name: 'provider-interaction', hits: 120, windowMs: 15 * 60_000 };

/** @throws ProviderError tooManyRequests */
export async function limitInteractions(
  { context: { limits } }: ConnectionDeps,
  address: string,
): Promise<void> {
  const waitMs = await limits.hit(rule, address);
  if (waitMs > 0) throw new ProviderError(refusals.tooManyRequests, { waitMs });
}

/**
 * Sends the browser to the other side, and remembers by which browser it came.
 * @param begun an interaction that is open under this state
 * @throws ProviderError unreachable, interactionHasEnded
 */
export async function beginInteraction(
  deps: ConnectionDeps,
  reply: FastifyReply,
  begun: {
    readonly connection: WebConnection;
    readonly state: string;
    readonly interaction: Interaction;
    /** Chosen by the client that started the sign-in, if any. */
    readonly nonce?: string | undefined;
    /** Additional parameters of the client for the external provider. */
    readonly extra?: Readonly<Record<string, unknown>> | undefined;
  },
): Promise<FastifyReply> {
  const { context, interactions } = deps;
  const { connection, extra = {}, interaction, nonce, state } = begun;
  const isForced = extra['prompt'] === 'login';
  const trip = { state, callbackUrl: callbackUrlOf(deps, connection), isForced };
  const { url, memory } = await upstreamOf(deps, connection)
    .begin(trip, nonce)
    .catch((error: unknown) => {
      context.onInternalError(error, `connection ${connection.identifier}`);
      throw new ProviderError(connectionRefusals.unreachable);
    });
  const browser = markBrowser(reply, state, context.settings.baseUrl);
  await interactions.change(state, { ...interaction, memory }, browser);
  return prepareWindow(reply).redirect(withExtra(url, connection, extra), 302);
}

/**
 * Parameters that a client can pass to an OAuth provider: how the user is prompted, never the
 * redirect URI or the client.
 */
const EXTRA = ['prompt', 'login_hint', 'display', 'ui_locales', 'max_age', 'acr_values'] as const;

function withExtra(
  url: string,
  { protocol }: WebConnection,
  extra: Readonly<Record<string, unknown>>,
): string {
  const extended = new URL(url);
  if (protocol === 'cas' && extra['prompt'] === 'login') {
    extended.searchParams.set('renew', 'true');
  }
  if (protocol === 'saml' || protocol === 'cas') return extended.href;
  for (const name of EXTRA) {
    const value = extra[name];
    if (typeof value === 'string' || typeof value === 'number') {
      extended.searchParams.set(name, String(value));
    }
  }
  return extended.href;
}
