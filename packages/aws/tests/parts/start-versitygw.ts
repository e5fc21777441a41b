import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderOf } from './parts.ts';
import { partCredentials, startPart, type RunningPart } from './start-part.ts';

/** S3 on a folder of its own, with these buckets. It checks signatures, conditions, and ranges. */
export const startVersitygw = (...buckets: readonly string[]): Promise<RunningPart> =>
  startVersitygwIn('us-east-1', ...buckets);

export async function startVersitygwIn(
  region: string,
  ...buckets: readonly string[]
): Promise<RunningPart> {
  const folder = await mkdtemp(join(tmpdir(), 'versitygw-'));
  for (const bucket of buckets) await mkdir(join(folder, bucket));
  const part = await startPart({
    program: join(folderOf('versitygw'), 'versitygw'),
    args: (port) => ['--port', `127.0.0.1:${port}`, '--region', region, 'posix', folder],
    env: {
      ROOT_ACCESS_KEY_ID: partCredentials.accessKeyId,
      ROOT_SECRET_ACCESS_KEY: partCredentials.secretAccessKey,
    },
  });
  return {
    ...part,
    region,
    async [Symbol.asyncDispose]() {
      await part.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
