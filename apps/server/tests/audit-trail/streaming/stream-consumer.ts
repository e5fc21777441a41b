import { once } from 'node:events';
import { deliverBlocks } from '../../../src/audit-trail/anchors/deliver-anchors.ts';
import { createHttpsSink } from '../../../src/audit-trail/streaming/https-sink.ts';
import { streamTarget } from '../../../src/audit-trail/streaming/stream-target.ts';
import { createSyslogSink } from '../../../src/audit-trail/streaming/syslog-sink.ts';
import { openPersonalKeys } from '../../../src/personal-data/keys/personal-keys-of.ts';
import { openDatabase } from '../../../src/platform/database/database.ts';
import { openArchive } from '../../../src/platform/files/open-files.ts';
import { testPersonalDataKey } from '../../support/database/test-personal-data-key.ts';

/** A process that streams events until it is killed. */
export interface StreamerOptions {
  readonly databaseUrl: string;
  readonly url: string;
  readonly syslogUrl: string;
  readonly ca: string;
}

const options = JSON.parse(process.argv[2] ?? '') as StreamerOptions;
const clock = (): Date => new Date();
const database = openDatabase({ url: options.databaseUrl, maxConnections: 6 });
openPersonalKeys(database, testPersonalDataKey);
const sources = {
  database,
  // Nothing is archived.
  analytics: { query: async () => [], [Symbol.asyncDispose]: async () => {} },
  archive: openArchive('/nowhere'),
  showsPeople: true,
};
const secrets = { authorization: undefined, signingSecret: undefined };
const sinks = [
  createHttpsSink({ url: options.url, format: 'ndjson', ...secrets, clock }),
  createSyslogSink({ url: options.syslogUrl, ca: options.ca }),
];
await database.pool.query('select 1');
process.stdout.write('ready\n');
await once(process.stdin, 'data');
await Promise.all(
  sinks.map(async (sink) => {
    const target = streamTarget(sources, sink, () => {});
    for (;;) await deliverBlocks({ ...sources, clock }, target);
  }),
);
