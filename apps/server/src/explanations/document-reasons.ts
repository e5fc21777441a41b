import type { DocumentDetail, DocumentVersionRow } from '@deviceportal/contract/documents';
import type { ActionDraft, ReasonDraft } from './reason-draft.ts';

/** Why a version of a document cannot be run; empty if it can. */
export function documentReasons(
  document: DocumentDetail,
  version: DocumentVersionRow,
): ReasonDraft[] {
  if (document.state === 'deprecated' || version.state === 'deprecated') {
    return [deprecated(document, version)];
  }
  if (version.state === 'draft') return draft(document, version);
  return version.state === 'review' ? [inReview(document, version)] : [];
}

function deprecated(document: DocumentDetail, version: DocumentVersionRow): ReasonDraft {
  const { name, defaultVersion } = document;
  const other = defaultVersion !== null && defaultVersion !== version.version;
  const act: ActionDraft =
    other && document.state !== 'deprecated'
      ? { kind: 'open-document', on: { name, version: defaultVersion } }
      : { kind: 'edit-document', on: { name }, needs: ['documents:manage'] };
  return { code: 'document-deprecated', act };
}

function draft(document: DocumentDetail, version: DocumentVersionRow): ReasonDraft[] {
  const { name, versions } = document;
  const { review, createdBy, createdAt } = version;
  const send: ActionDraft = {
    kind: 'send-for-review',
    on: { name, version: version.version },
    needs: ['documents:manage'],
  };
  const other = versions.find(({ state }) => state === 'review');
  const rejected = review?.decision === 'rejected' ? review : null;
  return [
    ...(rejected === null
      ? []
      : [
          {
            code: 'document-rejected' as const,
            facts: { by: rejected.by, comment: rejected.comment },
            since: rejected.at,
            act: {
              kind: 'edit-document',
              on: { name },
              needs: ['documents:manage'],
            } as ActionDraft,
          },
        ]),
    ...(other === undefined
      ? [{ code: 'document-draft' as const, facts: { by: createdBy }, since: createdAt, act: send }]
      : [
          {
            code: 'document-other-in-review' as const,
            facts: { version: other.version },
            since: other.submittedAt,
            act: { kind: 'open-document', on: { name, version: other.version } } as ActionDraft,
          },
        ]),
  ];
}

function inReview(document: DocumentDetail, version: DocumentVersionRow): ReasonDraft {
  const { own, submittedBy, createdBy, submittedAt } = version;
  return {
    code: own ? 'document-own-review' : 'document-in-review',
    facts: { by: submittedBy ?? createdBy },
    since: submittedAt,
    act: {
      kind: 'review-document',
      on: { name: document.name, version: version.version },
      needs: ['documents:approve'],
      // Authors cannot review their own version.
      allowed: !own,
    },
  };
}
