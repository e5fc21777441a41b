import { alertOf } from '../objects/alert-of.ts';
import type { Handlers } from '../operation-call.ts';

export const alertHandlers: Handlers<'listAlerts'> = {
  async listAlerts({ portal, query: { state, pageSize, cursor = null } }) {
    const { rows, nextCursor } = await portal.alerts.list({ state, pageSize, cursor });
    return { items: rows.map(alertOf), nextCursor };
  },
};
