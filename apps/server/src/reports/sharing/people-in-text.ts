import type { UserReportDocument } from '@deviceportal/contract/user-report-document';
import type { FreeText, ShareableTexts } from './free-texts.ts';
import { SEARCHED_LENGTH } from './text-redactor.ts';

const NAME = /\p{Lu}[\p{L}'’.-]{0,63}(?:,? \p{Lu}[\p{L}'’.-]{0,63}){1,3}/gu;
const HAN_NAME = /\p{Script=Han}{2,4}/gu;
const USERNAME = /[a-z\d][\w.-]{2,63}(?:@[\w.-]{1,190})?/gi;
/** Maximum number of candidates that are looked up. */
const MOST = 20_000;

/** Possible names of people in texts, and the texts that were searched completely. */
export interface PeopleCandidates {
  readonly candidates: readonly string[];
  readonly searched: readonly FreeText[];
}

/** Names and usernames of other people that occur in texts. */
export interface PeopleInTexts extends Pick<PeopleCandidates, 'searched'> {
  readonly names: readonly string[];
}

/** Texts that can be shared first, then the rest of the report up to the limit. */
export function peopleCandidates(
  report: UserReportDocument,
  { texts }: ShareableTexts,
): PeopleCandidates {
  const candidates = new Set<string>();
  const searched = texts.filter(({ text }) => addCandidates(text, candidates));
  for (const text of otherTexts(report)) {
    if (!addCandidates(text.slice(0, SEARCHED_LENGTH), candidates)) break;
  }
  return { candidates: [...candidates], searched };
}

function* otherTexts(report: UserReportDocument): Generator<string> {
  for (const { name } of report.devices) yield name;
  for (const { facts } of report.findings) yield JSON.stringify(facts);
  for (const { data } of report.timeline) yield JSON.stringify(data);
  for (const { text } of report.case?.entries ?? []) yield text;
}

/** Returns whether all of them were within the limit. */
function addCandidates(text: string, candidates: Set<string>): boolean {
  for (const pattern of [NAME, HAN_NAME, USERNAME]) {
    for (const [found] of text.matchAll(pattern)) {
      for (const part of partsOf(found)) candidates.add(part);
      if (candidates.size > MOST) return false;
    }
  }
  return true;
}

/** A name may be surrounded by other capitalized words: "Call Ana Kovač Today". */
function partsOf(found: string): string[] {
  const words = found.split(/,? /);
  const parts: string[] = [];
  for (let from = 0; from < words.length; from += 1) {
    for (let to = from + 1; to <= words.length; to += 1) {
      const part = words.slice(from, to).map((word) => word.replace(/[.'’-]+$/, ''));
      parts.push(part.join(' '));
      // "Kovač Ana" and "Kovač, Ana" are registered as "Ana Kovač".
      if (part.length > 1) parts.push([...part.slice(1), part[0]].join(' '));
    }
  }
  return parts;
}
