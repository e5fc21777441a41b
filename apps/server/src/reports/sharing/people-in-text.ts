import type { UserReportDocument } from '@deviceportal/contract/user-report-document';
import { findPeopleNamed } from '../../people/find-people-named.ts';
import type { Database } from '../../platform/database/database.ts';
import type { OtherPeople } from './redact-report.ts';

const NAME = /\p{Lu}[\p{L}'’.-]*(?:,? \p{Lu}[\p{L}'’.-]*){1,3}/gu;
const HAN_NAME = /\p{Script=Han}{2,4}/gu;
const USERNAME = /[a-z\d][\w.-]{2,63}(?:@[\w.-]+)?/gi;
const MOST = 20_000;

/** Other people on record whose names stand in what commands said, in notes and in events. */
export async function findPeopleInText(
  deps: { readonly database: Database },
  report: UserReportDocument,
): Promise<OtherPeople> {
  const texts = [
    ...report.commands.map(({ lastLines }) => lastLines),
    ...report.findings.map(({ facts }) => JSON.stringify(facts)),
    ...report.timeline.map(({ data }) => JSON.stringify(data)),
    report.case?.about ?? '',
    ...(report.case?.entries ?? []).map(({ text }) => text),
    ...report.devices.map(({ name }) => name),
  ];
  const candidates = new Set<string>();
  for (const text of texts) {
    for (const pattern of [NAME, HAN_NAME, USERNAME]) {
      for (const [found] of text.matchAll(pattern)) {
        for (const part of partsOf(found)) candidates.add(part);
      }
    }
  }
  const names = await findPeopleNamed(deps, [...candidates].slice(0, MOST), report.subject.id);
  return { names };
}

/** A name may stand between other words that begin with a capital: "Call Ana Kovač Today". */
function partsOf(found: string): string[] {
  const words = found.split(/,? /);
  const parts: string[] = [];
  for (let from = 0; from < words.length; from += 1) {
    for (let to = from + 1; to <= words.length; to += 1) {
      const part = words.slice(from, to).map((word) => word.replace(/[.'’-]+$/, ''));
      parts.push(part.join(' '));
      // "Kovač Ana" and "Kovač, Ana" are on record as "Ana Kovač".
      if (part.length > 1) parts.push([...part.slice(1), part[0]].join(' '));
    }
  }
  return parts;
}
