import type { PortalError } from '@deviceportal/contract/errors';
import { importColumnsOf } from '@deviceportal/contract/imports';
import { nameSchema } from '@deviceportal/contract/name-schema';
import { countrySchema } from '@deviceportal/contract/places';
import { refuse } from '@deviceportal/contract/refuse';
import { isServiceActorName } from '@deviceportal/contract/service-actor-name';
import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { z } from 'zod';
import { cellText, formulaProblem } from '../../imports/reading/cell-text.ts';
import type { ParsedRow, RowProblem } from '../../imports/row-kind.ts';

/** A row of a file of people. */
export interface GivenPerson {
  readonly username: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly country: string | null;
  readonly language: string | null;
}

type PersonColumn = (typeof importColumnsOf.people)[number];

const MAX_CHARACTERS = 128;
const emptyIsNull = z.literal('').transform(() => null);

const rowSchema = z.object({
  username: nameSchema({ max: MAX_CHARACTERS }).refine((name) => !isServiceActorName(name)),
  name: z.union([emptyIsNull, nameSchema({ max: MAX_CHARACTERS })]),
  email: z.union([emptyIsNull, z.email().max(320)]),
  phone: z.union([emptyIsNull, z.string().transform(toPhoneNumber)]),
  country: z.union([emptyIsNull, countrySchema]),
  language: z.union([emptyIsNull, z.string().transform(toLanguage)]),
});

/** The values of a row, or its first problem. */
export function parsePersonRow(
  cells: Readonly<Record<string, unknown>>,
): ParsedRow<GivenPerson> | RowProblem {
  const texts: Partial<Record<PersonColumn, string>> = {};
  for (const column of importColumnsOf.people) {
    const value = cellText(cells[column]);
    if (value === undefined) return { column, refusal: whyWrong(column) };
    texts[column] = value;
  }
  const wrong = formulaProblem(texts);
  if (wrong !== undefined) return wrong;
  const parsed = rowSchema.safeParse(texts);
  if (!parsed.success) {
    const [first] = parsed.error.issues;
    const column = importColumnsOf.people.find((name) => name === first?.path[0]) ?? 'username';
    return { column, refusal: whyWrong(column) };
  }
  const { username, email } = parsed.data;
  return {
    given: parsed.data,
    uniques: { username, ...(email !== null && { email: email.toLowerCase() }) },
  };
}

/** E.164, as phone numbers are stored. */
function toPhoneNumber(text: string, context: z.RefinementCtx): string {
  const phone = parsePhoneNumberFromString(text);
  if (phone?.isPossible() === true) return phone.number;
  context.addIssue({ code: 'custom', message: 'not an international phone number' });
  return z.NEVER;
}

/** A BCP 47 tag in its canonical form. */
function toLanguage(text: string, context: z.RefinementCtx): string {
  try {
    const [tag] = Intl.getCanonicalLocales(text.replaceAll('_', '-'));
    if (tag !== undefined && tag.length <= 35) return tag;
  } catch {
    // Reported below.
  }
  context.addIssue({ code: 'custom', message: 'not a language tag' });
  return z.NEVER;
}

function whyWrong(column: PersonColumn): PortalError {
  switch (column) {
    case 'username':
      return refuse('username-invalid', { facts: { most: MAX_CHARACTERS } });
    case 'name':
      return refuse('text-invalid', { facts: { most: MAX_CHARACTERS } });
    case 'email':
      return refuse('email-invalid');
    case 'phone':
      return refuse('phone-invalid');
    case 'country':
      return refuse('country-invalid');
    case 'language':
      return refuse('language-invalid');
  }
}
