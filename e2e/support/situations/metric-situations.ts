import type { Situation } from './situation.ts';

/** Metrics of a device, compared with its model, and with a device: itself. */
export const metricSituations: readonly Situation[] = [
  {
    name: 'device metrics',
    path: ({ owned }) => `/devices/${owned.id}?tab=metrics&range=7d&model=true&with=${owned.id}`,
    reach: (page) => page.locator('main [role="tabpanel"] .dp-metric-compared').first().waitFor(),
  },
  {
    name: '/device-metrics',
    path: () => '/device-metrics',
    reach: (page) => page.locator('main table').first().waitFor(),
  },
];
