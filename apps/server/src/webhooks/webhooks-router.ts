import {
  changeWebhookInput,
  createWebhookInput,
  webhookDeliveryReference,
  webhookReference,
  type WebhookDetail,
  type WebhookRow,
  type WebhookSecret,
  type WebhookTestResult,
} from '@deviceportal/contract/webhooks';
import { permitted, router } from '../platform/api.ts';
import { getWebhook, listWebhooks } from './list-webhooks.ts';
import { changeWebhook, createWebhook, rotateSecret } from './save-webhook.ts';
import { retryDelivery } from './sending/retry-delivery.ts';
import { testWebhook } from './sending/test-webhook.ts';
import { deleteWebhook, pauseByUser, resumeWebhook } from './switch-webhook.ts';
import type { WebhooksDeps } from './webhooks-deps.ts';

const managed = permitted('webhooks:manage');
/** Sends data outside, also after the session has ended. */
const confirmed = permitted('webhooks:manage', 'grants-rights');

/** Webhooks: those of the viewer, and all of them for users who manage them without limits. */
export function createWebhooksRouter(deps: WebhooksDeps) {
  return router({
    list: managed.query(({ ctx }): Promise<readonly WebhookRow[]> =>
      listWebhooks(deps, ctx.viewer),
    ),
    get: managed
      .input(webhookReference)
      .query(({ ctx, input }): Promise<WebhookDetail> => getWebhook(deps, ctx.viewer, input)),
    create: confirmed
      .input(createWebhookInput)
      .mutation(({ ctx, input }): Promise<WebhookSecret> => createWebhook(deps, ctx, input)),
    change: confirmed
      .input(changeWebhookInput)
      .mutation(({ ctx, input }): Promise<void> => changeWebhook(deps, ctx, input)),
    rotateSecret: confirmed
      .input(webhookReference)
      .mutation(({ ctx, input }): Promise<WebhookSecret> => rotateSecret(deps, ctx, input)),
    pause: managed
      .input(webhookReference)
      .mutation(({ ctx, input }): Promise<void> => pauseByUser(deps, ctx, input)),
    resume: managed
      .input(webhookReference)
      .mutation(({ ctx, input }): Promise<void> => resumeWebhook(deps, ctx, input)),
    delete: managed
      .input(webhookReference)
      .mutation(({ ctx, input }): Promise<void> => deleteWebhook(deps, ctx, input)),
    test: managed
      .input(webhookReference)
      .mutation(({ ctx, input }): Promise<WebhookTestResult> => testWebhook(deps, ctx, input)),
    retryDelivery: managed
      .input(webhookDeliveryReference)
      .mutation(({ ctx, input }): Promise<void> => retryDelivery(deps, ctx, input)),
  });
}
