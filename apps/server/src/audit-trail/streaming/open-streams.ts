import { readFile } from 'node:fs/promises';
import type { StreamsConfig } from '../../platform/config/config.ts';
import { StartError } from '../../platform/process/start-error.ts';
import { createHttpsSink } from './https-sink.ts';
import type { StreamSink } from './stream-sink.ts';
import { createSyslogSink } from './syslog-sink.ts';

/**
 * The configured receivers of events.
 *
 * @throws StartError if a file cannot be read
 */
export async function openStreams(
  { syslog, https }: StreamsConfig,
  clock: () => Date,
): Promise<StreamSink[]> {
  const sinks: StreamSink[] = [];
  if (syslog !== undefined) {
    const { url, caFile } = syslog;
    const ca = caFile === undefined ? undefined : await readText(caFile);
    sinks.push(createSyslogSink({ url, ca }));
  }
  if (https !== undefined) sinks.push(createHttpsSink({ ...https, clock }));
  return sinks;
}

const readText = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch(() => {
    throw new StartError(`${file} cannot be read.`);
  });
