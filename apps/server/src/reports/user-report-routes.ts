import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { PortalError } from '@deviceportal/contract/errors';
import { idSchema } from '@deviceportal/contract/ids';
import { reportFormats, type ReportFormat } from '@deviceportal/contract/reports';
import type { FileStore } from '../platform/files/file-store.ts';
import { sendKeptFile } from '../platform/http/send-kept-file.ts';
import type { LinkHolder, PersonLinkQuery, PersonLinks } from '../platform/person-links.ts';
import { reportFileKey } from './report-files.ts';

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
  { links, userReportFiles }: { readonly links: PersonLinks; readonly userReportFiles: FileStore },
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
      return sendReportFile(reply, { files: userReportFiles, id, format });
    },
  );
}

const types: Readonly<Record<ReportFormat, readonly [type: string, ending: string]>> = {
  pdf: ['application/pdf', 'pdf'],
  csv: ['application/zip', 'zip'],
  json: ['application/json; charset=utf-8', 'json'],
};

/** A stored file, named after the report only, because file names are passed on. */
export function sendReportFile(
  reply: FastifyReply,
  {
    files,
    id,
    format,
  }: { readonly files: FileStore; readonly id: string; readonly format: ReportFormat },
): Promise<FastifyReply> {
  const [type, ending] = types[format];
  const name = `user-report-${id.slice(-12)}.${ending}`;
  return sendKeptFile(reply, { files, key: reportFileKey(id, format), type, name });
}
