import type { FastifyInstance } from 'fastify';
import { PortalError } from '@deviceportal/contract/errors';
import type { FileStore } from '../../platform/files/file-store.ts';
import { sendKeptFile } from '../../platform/http/send-kept-file.ts';
import type { LinkHolder, PersonLinkQuery, PersonLinks } from '../../platform/person-links.ts';
import { RECORD_FILE_NAME } from './record-file-name.ts';

const PURPOSE = 'person-record';

/** A link to an exported record for the user who created it, valid for an hour while the user is signed in. */
export function signRecordUrl(links: PersonLinks, fileName: string, holder: LinkHolder): string {
  return `/person-records/${fileName}?${links.sign({ purpose: PURPOSE, subject: fileName }, holder)}`;
}

/** `GET /person-records/{file}`: authorized by the signed link. */
export function addRecordRoutes(
  app: FastifyInstance,
  { links, exportFiles }: { readonly links: PersonLinks; readonly exportFiles: FileStore },
): void {
  app.get<{ Params: { fileName: string }; Querystring: PersonLinkQuery }>(
    '/person-records/:fileName',
    async (request, reply) => {
      const { fileName } = request.params;
      if (!RECORD_FILE_NAME.test(fileName)) throw new PortalError('notFound');
      await links.require(
        { purpose: PURPOSE, subject: fileName, mayOpen: async () => false },
        {
          url: request.raw.url ?? '',
          host: request.headers.host,
          address: request.ip,
          query: request.query,
        },
      );
      const type = 'application/json; charset=utf-8';
      return sendKeptFile(reply, { files: exportFiles, key: fileName, type });
    },
  );
}
