import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { TargetPreview } from '@deviceportal/contract/command-targets';
import type { OpenPage } from './open-page.ts';

const CONNECTED = {
  kind: 'filter',
  filter: { tokens: [{ key: 'connectivity', operator: '=', values: ['online', 'degraded'] }] },
};

/** From the request, on devices that were previewed, until the run has ended with all results committed. */
export async function runOnConnected({ client, live }: OpenPage): Promise<number> {
  const command = { command: 'process/top', target: CONNECTED };
  const shown = (await client.query('commands.previewTarget', command)) as TargetPreview;
  const startedAt = performance.now();
  const { id } = (await client.mutate('commands.run', {
    ...command,
    ...{ targetSha256: shown.sha256, targetCount: shown.count, idempotencyKey: randomUUID() },
    ...{ parameters: {}, maxConcurrency: '100%', maxErrors: '100%' },
  })) as { id: string };
  await live.until({ kind: 'run', id }, async () => {
    const run = (await client.query('commands.getRun', { id })) as { endedAt: unknown };
    return run.endedAt !== null;
  });
  return performance.now() - startedAt;
}
