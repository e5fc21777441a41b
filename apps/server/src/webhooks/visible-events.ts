import type { WebhookObject } from '@deviceportal/contract/webhook-events';
import type { Viewer } from '../platform/viewer.ts';
import type { WebhookEvent } from './event-sources.ts';
import type { SendWebhooksDeps } from './webhooks-deps.ts';

export interface VisibleEvent extends WebhookEvent {
  /** The object of `/api/v1`. */
  readonly data: unknown;
}

/** The events whose object a viewer can see at present, with it. */
export async function visibleEvents(
  { readObjects }: Pick<SendWebhooksDeps, 'readObjects'>,
  viewer: Viewer,
  events: readonly WebhookEvent[],
): Promise<VisibleEvent[]> {
  const wanted = new Map<WebhookObject, string[]>();
  for (const [object, of] of Map.groupBy(events, ({ object: kind }) => kind)) {
    wanted.set(
      object,
      of.map(({ objectId }) => objectId),
    );
  }
  const found = await readObjects(viewer, wanted);
  return events.flatMap((event) =>
    found.has(event.objectId) ? [{ ...event, data: found.get(event.objectId) }] : [],
  );
}
