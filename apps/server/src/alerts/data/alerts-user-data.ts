import type { UserTables } from '../../personal-data/tables-of-users.ts';
import {
  alert,
  alertDelivery,
  alertDestination,
  alertManualMessage,
  alertRule,
} from './alerts-tables.ts';

/** Rules end with their owner, with the alerts that they raised. */
export const alertsUserTables: UserTables = {
  own: [
    { table: alertRule, id: alertRule.ownerId },
    { table: alertDestination, id: alertDestination.ownerId },
    { table: alert, id: alert.ownerId },
    { table: alertDelivery, id: alertDelivery.ownerId },
    { table: alertManualMessage, id: alertManualMessage.userId },
  ],
  secret: [alertDestination.sealed, alertDelivery.sealed],
};
