import { holds } from '@deviceportal/contract/permissions';
import type { ReportAccount, ReportSubject } from '@deviceportal/contract/user-report-document';
import { findAccountOfPerson } from '../../access/find-account-of-person.ts';
import { getPerson } from '../../people/get-person.ts';
import type { ReportCreation } from './report-creation.ts';

export interface FoundSubject {
  readonly subject: ReportSubject;
  readonly account: ReportAccount | null;
  /** Of the portal user who is the same person. */
  readonly userId: string | null;
}

/** The person of the report, masked by the viewer's permissions. */
export async function readSubject(creation: ReportCreation): Promise<FoundSubject> {
  const { deps, viewer, report, sources } = creation;
  const { deviceCount: _count, ...subject } = await getPerson(deps, viewer, report.personId);
  sources.push({ name: 'person', rows: 1 });
  const wanted = report.parts.includes('account') && holds(viewer.grants, 'people:read');
  const found = wanted ? await findAccountOfPerson(deps, report.personId) : undefined;
  if (found === undefined) return { subject, account: null, userId: null };
  const { userId, ...account } = found;
  return { subject, account, userId };
}
