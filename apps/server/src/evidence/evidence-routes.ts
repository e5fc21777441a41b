import type { FastifyInstance } from 'fastify';
import { PortalError } from '@deviceportal/contract/errors';
import type { FileStore } from '../platform/files/file-store.ts';
import { sendKeptFile } from '../platform/http/send-kept-file.ts';
import type { LinkHolder, PersonLinkQuery, PersonLinks } from '../platform/person-links.ts';

const PURPOSE = 'evidence';
const FILE_NAME = /^evidence-(?:invocation|run|case|air-blast)-[\da-f]{12}-[\da-f]{12}\.(pdf|zip)$/;

/** A link to a file of evidence for one user, valid for an hour while the user is signed in. */
export function signEvidenceUrl(links: PersonLinks, fileName: string, holder: LinkHolder): string {
  return `/evidence/${fileName}?${links.sign({ purpose: PURPOSE, subject: fileName }, holder)}`;
}

/** `GET /evidence/{file}`: the link grants access. */
export function addEvidenceRoutes(
  app: FastifyInstance,
  { links, exportFiles }: { readonly links: PersonLinks; readonly exportFiles: FileStore },
): void {
  app.get<{ Params: { fileName: string }; Querystring: PersonLinkQuery }>(
    '/evidence/:fileName',
    async (request, reply) => {
      const { fileName } = request.params;
      const format = FILE_NAME.exec(fileName)?.[1];
      if (format === undefined) throw new PortalError('notFound');
      await links.require(
        { purpose: PURPOSE, subject: fileName, mayOpen: async () => false },
        {
          ...{ url: request.raw.url ?? '', host: request.headers.host },
          ...{ address: request.ip, query: request.query },
        },
      );
      const type = `application/${format}`;
      return sendKeptFile(reply, { files: exportFiles, key: fileName, type });
    },
  );
}
