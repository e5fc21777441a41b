import type { RuleDraft } from './rule-draft.ts';

/** A part of the form of a rule. */
export interface RulePartProps {
  readonly draft: RuleDraft;
  /** The problems of fields by name. */
  readonly issues: ReadonlyMap<string, string>;
  readonly onChange: (part: Partial<RuleDraft>) => void;
}
