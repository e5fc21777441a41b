import { folderOf } from './parts.ts';
import { javaOptions, startPart, type RunningPart } from './start-part.ts';

/** SQS in memory, with FIFO queues and dead letters. It does not check signatures. */
export function startElasticMq(): Promise<RunningPart> {
  return startPart({
    program: 'java',
    args: (port) => [
      ...javaOptions,
      '-Drest-stats.enabled=false',
      '-Drest-sqs.bind-hostname=127.0.0.1',
      `-Drest-sqs.bind-port=${port}`,
      '-Dnode-address.host=127.0.0.1',
      `-Dnode-address.port=${port}`,
      ...['-cp', `${folderOf('ElasticMQ')}/*`, 'org.elasticmq.server.Main'],
    ],
  });
}
