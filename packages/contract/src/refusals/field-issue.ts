/** What can be wrong with one value, and what its sentence is filled with. */
interface IssueFacts {
  readonly required: Record<never, never>;
  readonly type: { readonly type: string };
  readonly 'one-of': { readonly values: string };
  readonly pattern: { readonly pattern: string };
  readonly size: {
    readonly bound: 'least' | 'most';
    readonly size: number;
    readonly unit: 'characters' | 'items';
  };
  readonly exactly: { readonly value: string };
  readonly 'unknown-key': { readonly key: string };
  readonly undeclared: Record<never, never>;
  readonly 'too-large-together': Record<never, never>;
  /** The text of a document cannot be parsed. `code` is that of the YAML parser. */
  readonly syntax: { readonly code: string; readonly message: string };
  readonly 'too-deep': { readonly levels: number };
  readonly 'too-large': { readonly limitKib: number };
  readonly 'too-large-as-json': { readonly limitKib: number };
  readonly 'too-many-parts': { readonly limit: number };
  readonly 'too-many-steps': { readonly limit: number };
  readonly 'step-name-taken': { readonly name: string };
  readonly 'after-final-step': { readonly name: string };
  readonly 'reference-undeclared': { readonly name: string };
  readonly 'store-reference': { readonly reference: string };
  readonly 'not-from-store': { readonly type: string };
  readonly name: Record<never, never>;
  readonly expression: Record<never, never>;
  readonly above: { readonly key: string };
}

export type IssueKind = keyof IssueFacts;

/** One wrong value of an input: where it stands (`['parameters', 'host']`) and what is wrong with it. */
export interface FieldIssue {
  readonly path: readonly (string | number)[];
  /** In English, for logs and for direct API calls. */
  readonly message: string;
  /** What is wrong, for programs; absent where only the sentence says it. */
  readonly kind?: IssueKind;
  readonly values?: Readonly<Record<string, string | number>>;
}

const sentences: Readonly<Record<IssueKind, string>> = {
  required: 'is required',
  type: 'is not a valid {type}',
  'one-of': 'must be one of {values}',
  pattern: 'must match {pattern}',
  size: 'must have at {bound} {size} {unit}',
  exactly: 'must be {value}',
  'unknown-key': '"{key}" is not known here',
  undeclared: 'is not a parameter of this document',
  'too-large-together': 'are too large together (56 KiB)',
  syntax: '{message}',
  'too-deep': 'is nested deeper than {levels} levels',
  'too-large': 'is larger than {limitKib} KiB',
  'too-large-as-json': 'is larger than {limitKib} KiB as JSON',
  'too-many-parts': 'has more than {limit} lines, commas, colons and brackets',
  'too-many-steps': 'has more than {limit} steps with those around it',
  'step-name-taken': 'the name "{name}" is taken by an earlier step',
  'after-final-step': 'comes after "{name}", which is a finallyStep: those are the last',
  'reference-undeclared': 'the parameter "{name}" is not declared',
  'store-reference': '{reference} names no parameter of the store',
  'not-from-store': 'a {type} cannot come from the parameter store',
  name: 'is not a valid name',
  expression: 'is not a valid regular expression',
  above: 'is more than {key}',
};

/** Creates an issue with its kind for programs and a message for logs. */
export function fieldIssue<Kind extends IssueKind>(
  path: FieldIssue['path'],
  kind: Kind,
  ...given: keyof IssueFacts[Kind] extends never ? [] : [values: IssueFacts[Kind]]
): FieldIssue {
  const facts: Readonly<Record<string, string | number>> = given[0] ?? {};
  const message = sentences[kind].replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    String(facts[name] ?? whole),
  );
  return { path, kind, values: facts, message };
}
