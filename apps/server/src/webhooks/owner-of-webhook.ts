import { holds } from '@deviceportal/contract/permissions';
import type { WebhookPauseReason } from '@deviceportal/contract/webhooks';
import type { Viewer } from '../platform/viewer.ts';
import type { SendWebhooksDeps } from './webhooks-deps.ts';

export type WebhookOwner =
  | { readonly viewer: Viewer }
  | { readonly lost: Extract<WebhookPauseReason, 'owner-inactive' | 'owner-not-permitted'> };

/** The owner of a webhook with current permissions, or why nothing may be sent. */
export async function ownerOfWebhook(
  { findOwner }: Pick<SendWebhooksDeps, 'findOwner'>,
  subject: string | null,
): Promise<WebhookOwner> {
  const viewer = subject === null ? undefined : await findOwner(subject);
  if (viewer === undefined) return { lost: 'owner-inactive' };
  return holds(viewer.grants, 'webhooks:manage') ? { viewer } : { lost: 'owner-not-permitted' };
}
