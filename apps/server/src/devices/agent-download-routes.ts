import { createReadStream } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { PortalError } from '@deviceportal/contract/errors';

export interface AgentDownload {
  /** The bundled agent, one file. */
  readonly bundleFile: string;
  /** Its installer, with `@SERVER_URL@` where the portal's address goes. */
  readonly installerTemplateFile: string;
  readonly publicUrl: string;
}

/** `/agent/install.sh` and `/agent/agent.mjs`: all that a new device needs besides a claim. */
export function registerAgentDownloadRoutes(app: FastifyInstance, download: AgentDownload): void {
  app.get('/agent/install.sh', async (_request, reply) => {
    const template = await readFile(download.installerTemplateFile, 'utf8');
    return reply
      .type('text/x-shellscript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(template.replaceAll('@SERVER_URL@', download.publicUrl));
  });
  app.get('/agent/agent.mjs', async (_request, reply) => {
    await access(download.bundleFile).catch((cause: unknown) => {
      throw new PortalError('notFound', { message: 'the agent has not been built here', cause });
    });
    return reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(createReadStream(download.bundleFile));
  });
}
