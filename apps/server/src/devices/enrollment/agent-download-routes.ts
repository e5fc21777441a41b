import type { FastifyInstance } from 'fastify';
import { PortalError } from '@deviceportal/contract/errors';
import type { AgentDownloads } from './agent-downloads.ts';

const NATIVE_FILE = /^pty-[a-z0-9]+-[a-z0-9]+\.node$/;

/**
 * `/agent/install.sh` and `/agent/agent.mjs`: downloads that a new device needs in addition to a claim. Native files are
 * needed for terminals; the agent contains their digests.
 */
export function registerAgentDownloadRoutes(
  app: FastifyInstance,
  downloads: Pick<AgentDownloads, 'installer' | 'program' | 'nativeFile'>,
): void {
  app.get('/agent/install.sh', async (_request, reply) =>
    reply
      .type('text/x-shellscript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await downloads.installer()),
  );
  app.get('/agent/agent.mjs', async (_request, reply) => {
    const { bytes } = await downloads.program();
    return reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(bytes);
  });
  app.get<{ Params: { file: string } }>('/agent/:file', async (request, reply) => {
    const { file } = request.params;
    if (!NATIVE_FILE.test(file)) throw new PortalError('notFound');
    return reply
      .type('application/octet-stream')
      .header('cache-control', 'no-cache')
      .send(await downloads.nativeFile(file));
  });
}
