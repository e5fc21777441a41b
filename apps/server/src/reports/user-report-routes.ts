import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { PortalError } from '@deviceportal/contract/errors';
import { idSchema } from '@deviceportal/contract/ids';
import { reportFormats, type ReportFormat } from '@deviceportal/contract/reports';
import type { LinkHolder, PersonLinkQuery, PersonLinks } from '../platform/person-links.ts';
import { reportFilePath } from './report-files.ts';

const PURPOSE = 'user-report';
const paramsSchema = z.object({ id: idSchema, format: z.enum(reportFormats) });

/** A link to a file of a report for one user, valid for an hour while the user is signed in. */
export function signUserReportUrl(
  links: PersonLinks,
  { id, format }: { readonly id: string; readonly format: ReportFormat },
  holder: LinkHolder,
): string {
  return `/user-report/${id}.${format}?${links.sign({ purpose: PURPOSE, subject: `${id}.${format}` }, holder)}`;
}

/** `GET /user-report/{report}.{pdf|csv|json}`: the link grants access. */
export function addUserReportRoutes(
  app: FastifyInstance,
  { links, userReportsDir }: { readonly links: PersonLinks; readonly userReportsDir: string },
): void {
  app.get<{ Params: Record<string, string>; Querystring: PersonLinkQuery }>(
    '/user-report/:id.:format',
    async (request, reply) => {
      const params = paramsSchema.safeParse(request.params);
      if (!params.success) throw new PortalError('notFound');
      const { id, format } = params.data;
      await links.require(
        { purpose: PURPOSE, subject: `${id}.${format}`, mayOpen: async () => false },
        {
          url: request.raw.url ?? '',
          host: request.headers.host,
          address: request.ip,
          query: request.query,
        },
      );
      return sendReportFile(reply, { directory: userReportsDir, id, format });
    },
  );
}

const types: Readonly<Record<ReportFormat, readonly [type: string, ending: string]>> = {
  pdf: ['application/pdf', 'pdf'],
  csv: ['application/zip', 'zip'],
  json: ['application/json; charset=utf-8', 'json'],
};

/** A stored file, named after the report only, because file names are passed on. */
export async function sendReportFile(
  reply: FastifyReply,
  file: { readonly directory: string; readonly id: string; readonly format: ReportFormat },
): Promise<FastifyReply> {
  const path = reportFilePath(file.directory, file.id, file.format);
  const found = await stat(path).catch(() => null);
  if (found === null) throw new PortalError('notFound');
  const [type, ending] = types[file.format];
  return reply
    .header(
      'content-disposition',
      `attachment; filename="user-report-${file.id.slice(-12)}.${ending}"`,
    )
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'private, no-store')
    .header('content-length', found.size)
    .type(type)
    .send(createReadStream(path));
}
