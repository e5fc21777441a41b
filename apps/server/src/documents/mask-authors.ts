import type {
  DocumentDetail,
  DocumentRow,
  DocumentVersionDetail,
} from '@deviceportal/contract/documents';
import { maskUser } from '../people/mask-person.ts';
import type { Viewer } from '../platform/viewer.ts';

/** Who wrote something is a person: masked without `people:read`, as everywhere. */
export function maskRow<Row extends DocumentRow>(row: Row, viewer: Viewer): Row {
  return { ...row, updatedBy: maskUser(row.updatedBy, viewer) };
}

export function maskDetail(detail: DocumentDetail, viewer: Viewer): DocumentDetail {
  const versions = detail.versions.map((version) => ({
    ...version,
    createdBy: maskUser(version.createdBy, viewer),
  }));
  return { ...maskRow(detail, viewer), versions };
}

export function maskVersion(detail: DocumentVersionDetail, viewer: Viewer): DocumentVersionDetail {
  return { ...detail, createdBy: maskUser(detail.createdBy, viewer) };
}
