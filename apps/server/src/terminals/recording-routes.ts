import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { PortalError } from '@deviceportal/contract/errors';
import type { Database } from '../platform/database/database.ts';
import type { LinkHolder, PersonLinkQuery, PersonLinks } from '../platform/person-links.ts';
import { findTerminal } from './data/terminal-queries.ts';
import { recordingLines } from './recording.ts';

const PURPOSE = 'terminal-recording';
const FILE_NAME = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.cast$/;

/** A link to a recording for one user, valid for an hour while the user is signed in. */
export function signRecordingUrl(
  links: PersonLinks,
  sessionId: string,
  holder: LinkHolder,
): string {
  const subject = `${sessionId}.cast`;
  return `/terminal-recordings/${subject}?${links.sign({ purpose: PURPOSE, subject }, holder)}`;
}

/** `GET /terminal-recordings/{session}.cast`: the link grants access. */
export function addRecordingRoutes(
  app: FastifyInstance,
  { database, links }: { readonly database: Database; readonly links: PersonLinks },
): void {
  app.get<{ Params: { fileName: string }; Querystring: PersonLinkQuery }>(
    '/terminal-recordings/:fileName',
    async (request, reply) => {
      const { fileName } = request.params;
      const sessionId = FILE_NAME.exec(fileName)?.[1];
      if (sessionId === undefined) throw new PortalError('notFound');
      await links.require(
        { purpose: PURPOSE, subject: fileName, mayOpen: async () => false },
        {
          ...{ url: request.raw.url ?? '', host: request.headers.host },
          ...{ address: request.ip, query: request.query },
        },
      );
      const session = await findTerminal(database.orm, sessionId);
      if (session === undefined || session.sha256 === null || session.expiredAt !== null)
        throw new PortalError('notFound');
      return reply
        .type('application/x-asciicast')
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .send(Readable.from(recordingLines(database.orm, session)));
    },
  );
}
