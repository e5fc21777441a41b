import { folderOf } from './parts.ts';
import { javaOptions, startPart, type RunningPart } from './start-part.ts';

/**
 * DynamoDB with its streams, in memory. It never deletes what has expired.
 *
 * @param heap of Java, such as for a hundred tables
 */
export function startDynamoDbLocal(heap?: '1g'): Promise<RunningPart> {
  const folder = folderOf('DynamoDB Local');
  return startPart({
    program: 'java',
    args: (port) => [
      ...javaOptions,
      ...(heap === undefined ? [] : [`-Xmx${heap}`]),
      `-Dsqlite4java.library.path=${folder}`,
      ...['-cp', `${folder}:${folder}/*`, 'StartDynamoDbLocal'],
      ...['-inMemory', '-sharedDb', '-disableTelemetry', '-port', String(port)],
    ],
  });
}
