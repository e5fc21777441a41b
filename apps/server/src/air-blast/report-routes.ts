import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { resultsFormatSchema } from '@deviceportal/contract/run-results';
import { PortalError } from '@deviceportal/contract/errors';
import { idSchema } from '@deviceportal/contract/ids';
import type { LinkHolder, PersonLinkQuery, PersonLinks } from '../platform/person-links.ts';
import type { AirBlastDeps } from './air-blast-deps.ts';
import { reportText } from './report-text.ts';
import type { ReportLink } from './report-link.ts';

const PURPOSE = 'air-blast-report';

/** A link to the report of a rollout for one user, valid for an hour while they are signed in. */
export function signReportUrl(
  links: PersonLinks,
  { id, format, scopes, seesNames }: ReportLink,
  holder: LinkHolder,
): string {
  const sight = Buffer.from(JSON.stringify({ scopes, seesNames })).toString('base64url');
  const signed = links.sign({ purpose: PURPOSE, subject: `${id}.${format}.${sight}` }, holder);
  return `/air-blast-report/${id}.${format}?sight=${sight}&${signed}`;
}

const sightSchema = z.object({
  scopes: z.array(
    z.object({
      countries: z.array(z.string()),
      models: z.array(z.string()),
      labels: z.record(z.string(), z.string()),
    }),
  ),
  seesNames: z.boolean(),
});
const paramsSchema = z.object({ id: idSchema, format: resultsFormatSchema });

/** `GET /air-blast-report/{id}.{csv|json}`, streamed. The signed link is the authorization. */
export function addReportRoutes(
  app: FastifyInstance,
  deps: Pick<AirBlastDeps, 'database'> & { readonly links: PersonLinks },
): void {
  app.get<{
    Params: Record<string, string>;
    Querystring: PersonLinkQuery & { readonly sight?: string };
  }>('/air-blast-report/:id.:format', async (request, reply) => {
    const params = paramsSchema.safeParse(request.params);
    if (!params.success) throw new PortalError('notFound');
    const { id, format } = params.data;
    const sight = request.query.sight ?? '';
    await deps.links.require(
      // The visible data is signed with the link, so it cannot be widened.
      { purpose: PURPOSE, subject: `${id}.${format}.${sight}`, mayOpen: async () => false },
      {
        url: request.raw.url ?? '',
        host: request.headers.host,
        address: request.ip,
        query: request.query,
      },
    );
    const seen = sightSchema.parse(JSON.parse(Buffer.from(sight, 'base64url').toString('utf8')));
    return reply
      .header('content-disposition', `attachment; filename="air-blast-${id}.${format}"`)
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'private, no-store')
      .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8')
      .send(Readable.from(reportText(deps, { id, format, ...seen })));
  });
}
