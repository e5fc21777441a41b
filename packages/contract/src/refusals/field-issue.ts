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
