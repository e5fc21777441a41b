import type { WebhookObject } from '@deviceportal/contract/webhook-events';
import type { AlertsDeps } from '../alerts/alerts-deps.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Viewer } from '../platform/viewer.ts';

/** Addresses are sealed, checked, and counted as those of alerts. */
export interface WebhooksDeps extends Pick<AlertsDeps, 'database' | 'clock' | 'alerts'> {
  readonly changes: ChangeFeed;
}

export interface SendWebhooksDeps extends WebhooksDeps {
  /** A user with current permissions, by `sub`; undefined without access to the portal. */
  readonly findOwner: (subject: string) => Promise<Viewer | undefined>;
  /** Objects of `/api/v1` as a viewer sees them, by ID; others are omitted. */
  readonly readObjects: (
    viewer: Viewer,
    wanted: ReadonlyMap<WebhookObject, readonly string[]>,
  ) => Promise<ReadonlyMap<string, unknown>>;
  readonly onError: (error: unknown, webhookId: string) => void;
}
