import { PortalError, type PortalErrorOptions } from '../errors.ts';
import { refusals, type FactsOf, type RefusalReason } from './refusals.ts';

/** The reasons that need no facts. */
export type RefusalReasonWithoutFacts = {
  [Reason in RefusalReason]: Record<never, never> extends FactsOf<Reason> ? Reason : never;
}[RefusalReason];

interface More<Facts> extends Pick<PortalErrorOptions, 'cause' | 'httpStatus' | 'issues'> {
  /** The field of the input that the refusal is about. */
  readonly field?: string | readonly (string | number)[];
  readonly facts?: Facts;
}

type Given<Reason extends RefusalReason> = Reason extends RefusalReasonWithoutFacts
  ? [more?: More<FactsOf<Reason>>]
  : [more: More<FactsOf<Reason>> & { readonly facts: FactsOf<Reason> }];

/**
 * Creates the error of a rejection: its code, its message with facts, and its reason for programs.
 */
export function refuse<Reason extends RefusalReason>(
  reason: Reason,
  ...[more = {}]: Given<Reason>
): PortalError {
  const { error, sentence } = refusals[reason];
  const { field, facts, issues, ...rest } = more;
  const given: PortalErrorOptions['facts'] = facts ?? {};
  const message = fill(sentence, given);
  const path = typeof field === 'string' ? [field] : field;
  return new PortalError(error, {
    ...rest,
    message,
    facts: given,
    reason,
    issues: issues ?? (path === undefined ? [] : [{ path, message }]),
  });
}

function fill(sentence: string, facts: Readonly<Record<string, unknown>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(facts[name] ?? whole));
}
