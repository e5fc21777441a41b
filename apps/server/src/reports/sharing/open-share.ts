import { readFile } from 'node:fs/promises';
import { PortalError } from '@deviceportal/contract/errors';
import type { ReportShare } from '@deviceportal/contract/reports';
import type { UserReportDocument } from '@deviceportal/contract/user-report-document';
import { recordAudit } from '../../audit-trail/record-audit.ts';
import { bindActions, type BoundAction } from '../../cases/bind-actions.ts';
import { overBudget } from '../../platform/call-budget/over-budget.ts';
import {
  inTransaction,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import type { TokenBuckets } from '../../platform/token-buckets.ts';
import type { RequestOrigin } from '../../platform/viewer.ts';
import type { SignedQuery, UrlSigner } from '../../platform/files/url-signer.ts';
import { countOpening, findShareById } from '../data/share-queries.ts';
import { reportFilePath } from '../report-files.ts';

export const SHARE_PURPOSE = 'report-share';

export interface OpenShareDeps {
  readonly database: Database;
  readonly clock: () => Date;
  readonly signer: UrlSigner;
  readonly userReportsDir: string;
  /** How often each link may be opened. */
  readonly openings: TokenBuckets;
}

/** Of one link; each opening is an event for ever. */
export const OPENINGS_QUOTA = { burst: 60, perSecond: 10 / 60 } as const;
const RETRY_AFTER_MS = 60_000;

export interface SharedLink {
  readonly id: string;
  readonly query: SignedQuery;
  readonly as: 'page' | 'pdf';
}

/** The signature of the link is valid, and the share has ended or expired. */
export class ShareEnded extends Error {
  readonly reportId: string | null;

  constructor(reportId: string | null) {
    super('the link has ended');
    this.reportId = reportId;
  }
}

/**
 * What a link opens, for its holder. Each opening is recorded with the address it came from, and in the case that
 * the link belongs to.
 *
 * @throws PortalError notFound for a link that is wrong; 2000 with the reason `overBudget` for one opened too often
 * @throws ShareEnded for one that is over
 */
export async function openShare(
  deps: OpenShareDeps,
  { id, query, as }: SharedLink,
  origin: RequestOrigin,
): Promise<UserReportDocument> {
  const verdict = deps.signer.verify(SHARE_PURPOSE, id, query);
  // What a wrong link names does not exist for its holder.
  if (verdict === 'invalid') throw new PortalError('notFound');
  if (verdict === 'valid' && !deps.openings.of(id).take()) throw overBudget(RETRY_AFTER_MS);
  const share = await findShareById(deps.database.orm, id);
  if (verdict === 'expired' || share === undefined || isOver(share, deps.clock())) {
    throw new ShareEnded(share?.reportId ?? null);
  }
  const text = await readFile(reportFilePath(deps.userReportsDir, id, 'page'), 'utf8').catch(() => {
    throw new ShareEnded(share.reportId);
  });
  await inTransaction(deps.database, async (tx) => {
    const opened = await countOpening(tx, id);
    // The person was erased a moment ago.
    if (opened === undefined) throw new ShareEnded(share.reportId);
    const { caseId, personId } = opened;
    const type = 'report.share-opened';
    const data = { reportId: share.reportId, shareId: id, personId, as };
    const { address, requestId } = origin;
    const actor = { kind: 'system', id: 'report-link', name: 'report link', address } as const;
    await recordAudit(tx, [{ type, actor, requestId, caseId, data }]);
    if (caseId !== null) await bindOpening(tx, { caseId, shareId: id, at: deps.clock(), data });
  });
  return JSON.parse(text) as UserReportDocument;
}

/** The opener is not known: the link itself is the actor. */
const bindOpening = (
  tx: Transaction,
  {
    shareId,
    ...opening
  }: Pick<BoundAction, 'caseId' | 'at' | 'data'> & { readonly shareId: string },
): Promise<void> =>
  bindActions(tx, [
    {
      ...opening,
      ...{ type: 'report.share-opened', actorId: shareId, actor: 'report link' },
      ...{ deviceId: null, runId: null },
    },
  ]);

function isOver({ endedAt, expiresAt }: ReportShare, now: Date): boolean {
  return endedAt !== null || Date.parse(expiresAt) <= now.getTime();
}
