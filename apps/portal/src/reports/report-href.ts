import type { ReportReference } from '@deviceportal/contract/report-blocks';
import { invocationHref } from '../devices/invocation-href.ts';

export function reportHref(id: string): string {
  return `/reports/user-report?report=${id}`;
}

/** The link to a source of the report. */
export function referenceHref(reference: ReportReference): string {
  switch (reference.kind) {
    case 'device':
      return `/devices/${reference.id}`;
    case 'invocation':
      return invocationHref(reference);
    case 'event':
      return `/audit-trail/device?sel=${reference.id}&t=${reference.at}..${reference.at}`;
  }
}
