import { once } from 'node:events';
import { createDeviceSource } from '../../src/versions/device-table/device-source.ts';
import { deviceTableLayout } from '../../src/versions/device-table/device-item.ts';
import { enableOutgoing } from '../../src/data-sources/outgoing-sources.ts';
import { readPage, type FeedDeps } from '../../src/data-sources/read-page.ts';
import { writePage } from '../../src/data-sources/write-page.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import type { AwsOptions, AwsPackage } from '../../src/platform/aws/aws-package.ts';

/** A process that reads and writes a device version table until it is killed. */
export interface ConsumerOptions {
  readonly databaseUrl: string;
  readonly aws: AwsOptions;
  readonly table: string;
  /** File of the adapter to DynamoDB. */
  readonly adapter: string;
}

const { databaseUrl, aws, table, adapter } = JSON.parse(process.argv[2] ?? '') as ConsumerOptions;
const fail = (error: unknown): never => {
  throw error;
};
const database = openDatabase({ url: databaseUrl, maxConnections: 2 });
const clock = (): Date => new Date();
const source = createDeviceSource({ clock });
enableOutgoing(database, [source.name]);
const { createTableFeed } = (await import(adapter)) as AwsPackage['dynamodb-tables'];
const deps: FeedDeps = {
  ...{ database, source, clock, onError: fail },
  changes: createLocalChangeFeed(fail),
  feed: createTableFeed({ ...aws, table, layout: deviceTableLayout }),
};
await database.pool.query('select 1');
process.stdout.write('ready\n');
await once(process.stdin, 'data');

async function repeat(work: () => Promise<number>, name: string): Promise<never> {
  for (;;) if ((await work()) > 0) process.stdout.write(`${name}\n`);
}
await Promise.all([repeat(() => readPage(deps), 'read'), repeat(() => writePage(deps), 'written')]);
