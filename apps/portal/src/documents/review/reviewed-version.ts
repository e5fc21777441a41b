import type { DocumentDetail, DocumentVersionDetail } from '@deviceportal/contract/documents';

export interface ReviewedVersion {
  readonly document: DocumentDetail;
  readonly shown: DocumentVersionDetail;
}
