import type { FastifyInstance } from 'fastify';
import type { AgentDownloads } from './agent-downloads.ts';

/** `/agent/install.sh` and `/agent/agent.mjs`: downloads that a new device needs in addition to a claim. */
export function registerAgentDownloadRoutes(
  app: FastifyInstance,
  downloads: Pick<AgentDownloads, 'installer' | 'program'>,
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
}
