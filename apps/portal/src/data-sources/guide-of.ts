import type { DataSource } from '@deviceportal/contract/data-sources';

/** The guide of each data source, as its path in the repository. */
export const guideOf: Readonly<Record<DataSource, string>> = {
  database: 'docs/guides/operating.md',
  'software-versions': 'docs/guides/tables.md',
  'device-versions': 'docs/guides/tables.md',
  geolocations: 'docs/guides/tables.md',
  analytics: 'docs/guides/aws.md',
  'audit-trail-queue': 'docs/guides/aws.md',
  'report-location': 'docs/guides/files.md',
  'user-pool': 'docs/guides/hosted-user-pool.md',
  'identity-pool': 'docs/guides/hosted-user-pool.md',
  'iot-policy': 'docs/guides/device-transport.md',
  parameters: 'docs/guides/aws.md',
  'air-blast-role': 'docs/guides/aws.md',
  messages: 'docs/guides/operating.md',
};
