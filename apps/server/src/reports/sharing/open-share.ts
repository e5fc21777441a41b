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
import type { FileStore } from '../../platform/files/file-store.ts';
import { readWhole } from '../../platform/files/read-whole.ts';
import type { SignedQuery, UrlSigner } from '../../platform/files/url-signer.ts';
import { countOpening, findShareById } from '../data/share-queries.ts';
import { reportFileKey } from '../report-files.ts';

export const SHARE_PURPOSE = 'report-share';

export interface OpenShareDeps {
  readonly database: Database;
  readonly clock: () => Date;
  readonly signer: UrlSigner;
  readonly userReportFiles: FileStore;
  /** Rate limit of each link. */
  readonly openings: TokenBuckets;
}

/** For one link; each opening is a permanent audit event. */
export const OPENINGS_QUOTA = { burst: 60, perSecond: 10 / 60 } as const;
const RETRY_AFTER_MS = 60_000;

export interface SharedLink {
  readonly id: string;
  readonly query: SignedQuery;
  readonly as: 'page' | 'pdf';
}

/** The signature of the link is valid, but the share has ended or expired. */
export class ShareEnded extends Error {
  readonly reportId: string | null;

  constructor(reportId: string | null) {
    super('the link has ended');
    this.reportId = reportId;
  }
}

/**
 * Returns the content of a link. Each opening is recorded with its source address, and in the case to which the link
 * belongs.
 * @throws PortalError notFound for an invalid link; 2000 with the reason `overBudget` for too many openings
 * @throws ShareEnded for an ended or expired share
 */
export async function openShare(
  deps: OpenShareDeps,
  { id, query, as }: SharedLink,
  origin: RequestOrigin,
): Promise<UserReportDocument> {
  const verdict = deps.signer.verify(SHARE_PURPOSE, id, query);
  // The subject of an invalid link is not revealed.
  if (verdict === 'invalid') throw new PortalError('notFound');
  if (verdict === 'valid' && !deps.openings.of(id).take()) throw overBudget(RETRY_AFTER_MS);
  const share = await findShareById(deps.database.orm, id);
  if (verdict === 'expired' || share === undefined || isOver(share, deps.clock())) {
    throw new ShareEnded(share?.reportId ?? null);
  }
  const page = await readWhole(deps.userReportFiles, reportFileKey(id, 'page'));
  if (page === undefined) throw new ShareEnded(share.reportId);
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
  return JSON.parse(page.toString('utf8')) as UserReportDocument;
}

/** The recipient is unknown: the link itself is the actor. */
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
