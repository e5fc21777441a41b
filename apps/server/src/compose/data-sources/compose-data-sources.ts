import { tableSources, type TableSource } from '@deviceportal/contract/data-sources';
import { beginFeed } from '../../data-sources/data/feed-queries.ts';
import type { FeedSource } from '../../data-sources/feed-source.ts';
import { enableOutgoing } from '../../data-sources/outgoing-sources.ts';
import { reportContacts } from '../../data-sources/report-contacts.ts';
import { runFeed } from '../../data-sources/run-feed.ts';
import { measureDataSources } from '../../data-sources/source-metrics.ts';
import { createGeolocationSource } from '../../locations/geolocation-table/geolocation-source.ts';
import { geolocationTableLayout } from '../../locations/geolocation-table/position-item.ts';
import { loadAws } from '../../platform/aws/load-aws.ts';
import type { TableLayout } from '../../platform/sources/table-feed.ts';
import { deviceTableLayout } from '../../versions/device-table/device-item.ts';
import { createDeviceSource } from '../../versions/device-table/device-source.ts';
import { softwareTableLayout } from '../../versions/software-table/software-item.ts';
import { softwareSource } from '../../versions/software-table/software-source.ts';
import type { Composition } from '../composition.ts';

interface TableParts {
  readonly setting: string;
  readonly layout: TableLayout;
  readonly open: (composition: Composition) => FeedSource;
}

const parts: Readonly<Record<TableSource, TableParts>> = {
  'software-versions': {
    setting: 'DEVICEPORTAL_SOFTWARE_VERSION_TABLE',
    layout: softwareTableLayout,
    open: () => softwareSource,
  },
  'device-versions': {
    setting: 'DEVICEPORTAL_DEVICE_VERSION_TABLE',
    layout: deviceTableLayout,
    open: createDeviceSource,
  },
  geolocations: {
    setting: 'DEVICEPORTAL_GEOLOCATION_TABLE',
    layout: geolocationTableLayout,
    open: ({ clock, platform: { config } }) =>
      createGeolocationSource({ clock, keptDays: config.retention.geolocationDays }),
  },
};

/**
 * Tables outside the portal: every server queues its changes for them, and one worker at a time
 * reads and writes each table.
 */
export async function composeDataSources(composition: Composition): Promise<void> {
  const { database, config } = composition.platform;
  composeContacts(composition);
  const { names, region, endpoint } = config.tables;
  const configured = tableSources.flatMap((source) => {
    const table = names[source];
    return table === undefined ? [] : [{ source, table }];
  });
  if (configured.length === 0) return;
  for (const { source, table } of configured) {
    await beginFeed(database.orm, source, [region, endpoint ?? '', table].join(' '));
  }
  enableOutgoing(
    database,
    configured.map(({ source }) => source),
  );
  if (!config.roles.has('worker')) return;
  for (const { source, table } of configured) await runTable(composition, source, table);
}

/** Nothing of it runs where everything is embedded. */
function composeContacts({ platform, resources, contacts, clock }: Composition): void {
  const { database, config, logger, metrics } = platform;
  const { dataSources } = config;
  if (dataSources.every(({ place }) => place === 'embedded')) return;
  resources.use(reportContacts({ database, contacts, logger }));
  if (config.roles.has('worker')) measureDataSources(metrics, { database, clock, dataSources });
}

async function runTable(composition: Composition, name: TableSource, table: string): Promise<void> {
  const { platform, resources, clock } = composition;
  const { database, changes, logger, config, readiness } = platform;
  const { setting, layout, open } = parts[name];
  const { createTableFeed } = await loadAws('dynamodb-tables', setting);
  const { region, endpoint } = config.tables;
  resources.use(
    runFeed({
      ...{ database, changes, clock, logger },
      source: open(composition),
      feed: createTableFeed({ region, endpoint, table, layout }),
      readiness: readiness.note(`table of ${name}`),
    }),
  );
}
