import type { FastifyInstance } from 'fastify';
import { PortalError } from '@deviceportal/contract/errors';
import { holds } from '@deviceportal/contract/permissions';
import { z } from 'zod';
import type { FileStore } from '../../platform/files/file-store.ts';
import { readWhole } from '../../platform/files/read-whole.ts';
import { sendKeptFile } from '../../platform/http/send-kept-file.ts';
import type { LinkHolder, PersonLinkQuery, PersonLinks } from '../../platform/person-links.ts';

const PURPOSE = 'audit-export';
const FILE_NAME =
  /^audit-trail-\d{8}T\d{6}Z-[0-9a-f]{12}\.(csv|json)(\.manifest\.json|\.proof\.jsonl)?$/;

/** A link to a finished export for its exporter, valid for an hour while they are signed in. */
export function signExportUrl(links: PersonLinks, fileName: string, holder: LinkHolder): string {
  return `/exports/${fileName}?${links.sign({ purpose: PURPOSE, subject: fileName }, holder)}`;
}

/** `GET /exports/{file}`: requires a signed link, or a session of the exporter. */
export function addExportRoutes(
  app: FastifyInstance,
  { links, exportFiles }: { readonly links: PersonLinks; readonly exportFiles: FileStore },
): void {
  app.get<{ Params: { fileName: string }; Querystring: PersonLinkQuery }>(
    '/exports/:fileName',
    async (request, reply) => {
      const { fileName } = request.params;
      if (!FILE_NAME.test(fileName)) throw new PortalError('notFound');
      await links.require(
        {
          purpose: PURPOSE,
          subject: fileName,
          mayOpen: async ({ userId, grants }) =>
            holds(grants, 'audit-trail:export') &&
            userId === (await exporterOf(exportFiles, fileName)),
        },
        {
          url: request.raw.url ?? '',
          host: request.headers.host,
          address: request.ip,
          query: request.query,
        },
      );
      const type = fileName.endsWith('.csv')
        ? 'text/csv; charset=utf-8'
        : 'application/json; charset=utf-8';
      return sendKeptFile(reply, { files: exportFiles, key: fileName, type });
    },
  );
}

const manifestSchema = z.object({ exportedBy: z.object({ id: z.string() }) });

/** An export contains what its exporter could see, so other users need a link. */
async function exporterOf(files: FileStore, fileName: string): Promise<string | undefined> {
  const manifest = `${fileName.replace(/\.(manifest\.json|proof\.jsonl)$/, '')}.manifest.json`;
  const text = (await readWhole(files, manifest))?.toString('utf8');
  return text === undefined
    ? undefined
    : manifestSchema.safeParse(JSON.parse(text)).data?.exportedBy.id;
}
