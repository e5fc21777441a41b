import { holds } from '@deviceportal/contract/permissions';
import type { ReportAccount, ReportSubject } from '@deviceportal/contract/user-report-document';
import { findAccountOfPerson } from '../../access/find-account-of-person.ts';
import { getPerson } from '../../people/get-person.ts';
import type { ReportMaking } from './report-making.ts';

export interface FoundSubject {
  readonly subject: ReportSubject;
  readonly account: ReportAccount | null;
  /** Of the portal user that the person also is. */
  readonly userId: string | null;
}

/** Whom the report is about, masked as the rights say. */
export async function readSubject(making: ReportMaking): Promise<FoundSubject> {
  const { deps, viewer, report, sources } = making;
  const { deviceCount: _count, ...subject } = await getPerson(deps, viewer, report.personId);
  sources.push({ name: 'person', rows: 1 });
  const wanted = report.parts.includes('account') && holds(viewer.grants, 'people:read');
  const found = wanted ? await findAccountOfPerson(deps, report.personId) : undefined;
  if (found === undefined) return { subject, account: null, userId: null };
  const { userId, ...account } = found;
  return { subject, account, userId };
}
