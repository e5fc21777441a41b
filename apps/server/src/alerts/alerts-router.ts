import {
  alertRuleReference,
  changeAlertRuleInput,
  createAlertRuleInput,
  listAlertDeliveriesInput,
  listAlertsInput,
  muteAlertRuleInput,
  previewAlertRuleInput,
  retryAlertDeliveryInput,
  testAlertDestinationInput,
  type AlertDeliveryRow,
  type AlertRow,
  type AlertRulePreview,
  type AlertRuleRow,
  type AlertTestResult,
  type SavedAlertRule,
} from '@deviceportal/contract/alerts';
import type { Page } from '@deviceportal/contract/pages';
import { permitted, router } from '../platform/api.ts';
import type { AlertsDeps } from './alerts-deps.ts';
import { listAlerts } from './data/alert-queries.ts';
import { deleteRule } from './delete-rule.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listRules } from './list-rules.ts';
import { muteRule } from './mute-rule.ts';
import { previewRule } from './preview-rule.ts';
import { changeRule, createRule } from './save-rule.ts';
import { retryDelivery } from './sending/retry-delivery.ts';
import { testDestination } from './sending/test-destination.ts';

/** Alerts and their rules: those of the viewer, and all of them for users who see all devices. */
export function createAlertsRouter(deps: AlertsDeps) {
  return router({
    list: permitted('alerts:read')
      .input(listAlertsInput)
      .query(({ ctx, input }): Promise<Page<AlertRow>> =>
        listAlerts(deps.database.orm, ctx.viewer, input),
      ),
    listDeliveries: permitted('alerts:read')
      .input(listAlertDeliveriesInput)
      .query(({ ctx, input }): Promise<AlertDeliveryRow[]> =>
        listDeliveries(deps, ctx.viewer, input),
      ),
    listRules: permitted('alerts:read').query(({ ctx }): Promise<AlertRuleRow[]> =>
      listRules(deps, ctx.viewer),
    ),
    previewRule: permitted('alerts:manage')
      .input(previewAlertRuleInput)
      .query(({ ctx, input }): Promise<AlertRulePreview> => previewRule(deps, ctx.viewer, input)),
    createRule: permitted('alerts:manage')
      .input(createAlertRuleInput)
      .mutation(({ ctx, input }): Promise<SavedAlertRule> => createRule(deps, ctx, input)),
    changeRule: permitted('alerts:manage')
      .input(changeAlertRuleInput)
      .mutation(({ ctx, input }): Promise<SavedAlertRule> => changeRule(deps, ctx, input)),
    deleteRule: permitted('alerts:manage')
      .input(alertRuleReference)
      .mutation(({ ctx, input }): Promise<void> => deleteRule(deps, ctx, input)),
    muteRule: permitted('alerts:manage')
      .input(muteAlertRuleInput)
      .mutation(({ ctx, input }): Promise<void> => muteRule(deps, ctx, input)),
    testDestination: permitted('alerts:manage')
      .input(testAlertDestinationInput)
      .mutation(({ ctx, input }): Promise<AlertTestResult> => testDestination(deps, ctx, input)),
    retryDelivery: permitted('alerts:manage')
      .input(retryAlertDeliveryInput)
      .mutation(({ ctx, input }): Promise<void> => retryDelivery(deps, ctx, input)),
  });
}
