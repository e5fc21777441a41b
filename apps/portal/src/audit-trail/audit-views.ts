import type { ViewScreen } from '../devices/list/views/saved-views.ts';

/** What is kept of the trail's address: the filter and its period. */
export const auditViews: ViewScreen = {
  id: 'audit-trail',
  all: 'auditTrail.views.all',
  fields: ['q', 't'],
  defaults: { q: '', t: '' },
  hasDefault: false,
};
