import type { DataSource } from '@deviceportal/contract/data-sources';

/** The guide of each data source, as the name of a file in docs/guides. */
export const guideOf: Readonly<Record<DataSource, string>> = {
  database: 'operating',
  'software-versions': 'tables',
  'device-versions': 'tables',
  geolocations: 'tables',
  analytics: 'aws',
  'audit-trail-queue': 'aws',
  'report-location': 'files',
  'user-pool': 'hosted-user-pool',
  'identity-pool': 'hosted-user-pool',
  'iot-policy': 'device-transport',
  parameters: 'aws',
  'air-blast-role': 'aws',
  messages: 'operating',
};
