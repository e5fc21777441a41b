import { PortalError, type PortalErrorOptions } from '../errors.ts';
import type { RefusalFacts } from './refusal.ts';
import { refusals, type FactsOf, type RefusalReason } from './refusals.ts';

/** The reasons whose sentence stands as it is. */
export type RefusalReasonWithoutFacts = {
  [Reason in RefusalReason]: keyof FactsOf<Reason> extends never ? Reason : never;
}[RefusalReason];

type More = Pick<PortalErrorOptions, 'cause' | 'facts' | 'httpStatus' | 'issues'> & {
  /** The field of the input that the refusal is about. */
  readonly field?: string | readonly (string | number)[];
};

type Given<Reason extends RefusalReason> = keyof FactsOf<Reason> extends never
  ? [more?: More]
  : [more: More & { readonly facts: FactsOf<Reason> }];

/** The error of a refusal: its code, its sentence with the facts put in, and its reason for programs. */
export function refuse<Reason extends RefusalReason>(
  reason: Reason,
  ...[more = {}]: Given<Reason>
): PortalError {
  const { error, sentence } = refusals[reason];
  const { field, facts = {}, issues, ...rest } = more;
  const message = fill(sentence, facts as RefusalFacts);
  const path = typeof field === 'string' ? [field] : field;
  return new PortalError(error, {
    ...rest,
    message,
    facts,
    reason,
    issues: issues ?? (path === undefined ? [] : [{ path, message }]),
  });
}

function fill(sentence: string, facts: RefusalFacts): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(facts[name] ?? whole));
}
