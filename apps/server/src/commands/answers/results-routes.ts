import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { resultsFormatSchema } from '@deviceportal/contract/run-results';
import { PortalError } from '@deviceportal/contract/errors';
import { idSchema } from '@deviceportal/contract/ids';
import type { Scope } from '@deviceportal/contract/permissions';
import type { LinkHolder, PersonLinkQuery, PersonLinks } from '../../platform/person-links.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import type { ResultsLink } from './results-link.ts';
import { resultsText } from './results-text.ts';

const PURPOSE = 'run-results';

/** A link to the results of a run for one user, valid for an hour while they are signed in. */
export function signResultsUrl(
  links: PersonLinks,
  { runId, format, scopes }: ResultsLink,
  holder: LinkHolder,
): string {
  const scope = Buffer.from(JSON.stringify(scopes)).toString('base64url');
  const signed = links.sign({ purpose: PURPOSE, subject: `${runId}.${format}.${scope}` }, holder);
  return `/run-results/${runId}.${format}?scope=${scope}&${signed}`;
}

const scopesSchema: z.ZodType<Scope[]> = z.array(
  z.object({
    countries: z.array(z.string()),
    models: z.array(z.string()),
    labels: z.record(z.string(), z.string()),
  }),
);
const paramsSchema = z.object({ runId: idSchema, format: resultsFormatSchema });

/** `GET /run-results/{run}.{csv|json}`, streamed. The signed link authorizes the request. */
export function addResultsRoutes(
  app: FastifyInstance,
  deps: Pick<CommandsDeps, 'database' | 'vault'> & { readonly links: PersonLinks },
): void {
  app.get<{
    Params: Record<string, string>;
    Querystring: PersonLinkQuery & { readonly scope?: string };
  }>('/run-results/:runId.:format', async (request, reply) => {
    const params = paramsSchema.safeParse(request.params);
    if (!params.success) throw new PortalError('notFound');
    const { runId, format } = params.data;
    const scope = request.query.scope ?? '';
    await deps.links.require(
      // The scopes are part of the signature. Opening the link with other permissions could extend them.
      { purpose: PURPOSE, subject: `${runId}.${format}.${scope}`, mayOpen: async () => false },
      {
        url: request.raw.url ?? '',
        host: request.headers.host,
        address: request.ip,
        query: request.query,
      },
    );
    const scopes = scopesSchema.parse(JSON.parse(Buffer.from(scope, 'base64url').toString('utf8')));
    return reply
      .header('content-disposition', `attachment; filename="run-${runId}.${format}"`)
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'private, no-store')
      .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8')
      .send(Readable.from(resultsText(deps, { runId, scopes, format })));
  });
}
