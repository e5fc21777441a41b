import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { RateLimitRule } from '../limits/rate-limits.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import { requireUser } from '../provider/wire/require-user.ts';
import { v3Success } from '../provider/wire/v3-success.ts';
import { acceptSubscribers } from './accept-subscribers.ts';
import { EventListener } from './event-listener.ts';
import { insertEvent } from './event-store.ts';
import { Subscriptions } from './subscriptions.ts';

const text = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[^\0]*$/);
const eventSchema = z.object({
  eventType: text(128).min(1),
  source: text(256).nullish(),
  eventData: text(64 * 1024),
});

const BY_PERSON: RateLimitRule = { name: 'provider-event', hits: 600, windowMs: 60_000 };

/**
 * Realtime events of a person: published at `/api/v3/pub-userEvent`, heard by all of the person's own subscribers, on
 * whatever server.
 */
export function registerEventRoutes(app: FastifyInstance, context: ProviderContext): void {
  const { db, clock, limits } = context;
  const subscriptions = new Subscriptions();
  const onError = (error: unknown): void => context.onInternalError(error, 'events');
  const listener = new EventListener({ db, clock, subscriptions, onError });
  const subscribers = acceptSubscribers({
    ...{ context, subscriptions, listener, server: app.server },
    path: `${app.prefix}/events/v1/authentication/sub`,
  });
  app.addHook('preClose', async () => {
    subscribers[Symbol.dispose]();
    await listener.stop();
  });
  app.post('/api/v3/pub-userEvent', async (request) => {
    const { user } = await requireUser(context, request);
    const { eventType: name, source, eventData: data } = eventSchema.parse(request.body);
    const waitMs = await limits.hit(BY_PERSON, user.id);
    if (waitMs > 0) throw new ProviderError(refusals.tooManyRequests, { waitMs });
    const at = new Date(clock.now());
    await insertEvent(db, { userId: user.id, name, data, source: source ?? null, at });
    return v3Success(true);
  });
}
