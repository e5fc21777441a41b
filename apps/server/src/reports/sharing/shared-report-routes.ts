import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { PortalError } from '@deviceportal/contract/errors';
import { idSchema } from '@deviceportal/contract/ids';
import { layOutReport } from '@deviceportal/contract/user-report-layout';
import { TokenBuckets } from '../../platform/token-buckets.ts';
import type { SignedQuery, UrlSigner } from '../../platform/files/url-signer.ts';
import { sendReportFile } from '../user-report-routes.ts';
import { endedSharePage, unknownSharePage } from './missing-share-page.ts';
import {
  openShare,
  OPENINGS_QUOTA,
  SHARE_PURPOSE,
  ShareEnded,
  type OpenShareDeps,
} from './open-share.ts';
import { sharedReportPage } from './shared-report-page.ts';
import { sharedScriptSource } from './shared-report-script.ts';
import { sharedStyleSource } from './shared-report-style.ts';
import { markedMoment } from './shared-report-text.ts';

/** A link to a redacted copy, usable without a session. */
export function signShareUrl(
  { signer, publicUrl }: { readonly signer: UrlSigner; readonly publicUrl: string },
  shareId: string,
  validSeconds: number,
): string {
  const url = new URL(`/shared-report/${shareId}`, publicUrl);
  url.search = signer.sign(SHARE_PURPOSE, shareId, validSeconds);
  return url.href;
}

const paramsSchema = z.object({ id: idSchema });

/** `GET /shared-report/{share}` as a page, and `.pdf` for download: the link grants access, no session is needed. */
export function addSharedReportRoutes(
  app: FastifyInstance,
  deps: Omit<OpenShareDeps, 'openings'>,
): void {
  const openings = new TokenBuckets(OPENINGS_QUOTA);
  for (const as of ['page', 'pdf'] as const) {
    app.get<{ Params: { id: string }; Querystring: SignedQuery }>(
      `/shared-report/:id${as === 'pdf' ? '.pdf' : ''}`,
      async (request, reply) => {
        const { query } = request;
        const origin = { requestId: request.id, address: request.ip };
        try {
          const params = paramsSchema.safeParse(request.params);
          if (!params.success) throw new PortalError('notFound');
          const { id } = params.data;
          const report = await openShare({ ...deps, openings }, { id, query, as }, origin);
          if (as === 'pdf') {
            return await sendReportFile(reply, {
              files: deps.userReportFiles,
              id,
              format: 'pdf',
            });
          }
          const search = request.raw.url?.split('?')[1] ?? '';
          const page = sharedReportPage(
            layOutReport(report, { moment: markedMoment }),
            `/shared-report/${id}.pdf?${search}`,
          );
          return await sendPage(reply, page);
        } catch (error) {
          const language = request.headers['accept-language'] ?? '';
          if (error instanceof ShareEnded)
            return sendPage(reply.code(410), endedSharePage(error.reportId, language));
          if (error instanceof PortalError && error.errorName === 'notFound')
            return sendPage(reply.code(404), unknownSharePage(language));
          throw error;
        }
      },
    );
  }
}

/** The URL grants access: it must not be sent to other sites as a referrer. */
function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply
    .header(
      'content-security-policy',
      `default-src 'none'; style-src ${sharedStyleSource}; script-src ${sharedScriptSource}; base-uri 'none'; frame-ancestors 'none'`,
    )
    .header('referrer-policy', 'no-referrer')
    .header('x-robots-tag', 'noindex')
    .header('cache-control', 'private, no-store')
    .type('text/html; charset=utf-8')
    .send(page);
}
