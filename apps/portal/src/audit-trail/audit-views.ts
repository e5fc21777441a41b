import type { ViewScreen } from '../devices/list/views/saved-views.ts';

/** What a saved view stores of the address: the filter and the time range. */
export const auditViews: ViewScreen = {
  id: 'audit-trail',
  all: 'auditTrail.views.all',
  fields: ['q', 't'],
  defaults: { q: '', t: '' },
  hasDefault: false,
};
