/** A GraphQL document with exactly one root field. */
export interface GraphqlOperation {
  readonly field: string;
  readonly text: string;
}

/** An operation whose variables are the arguments of the root field with the same names. */
export function operation(
  kind: 'query' | 'mutation',
  field: string,
  variables: Readonly<Record<string, string>>,
  selection = '',
): GraphqlOperation {
  const names = Object.keys(variables);
  const declared = names.map((name) => `$${name}: ${variables[name]}`).join(', ');
  const given = names.map((name) => `${name}: $${name}`).join(', ');
  const head = names.length === 0 ? '' : `(${declared})`;
  const call = names.length === 0 ? field : `${field}(${given})`;
  const body = selection === '' ? '' : ` { ${selection} }`;
  return { field, text: `${kind} ${field}${head} { ${call}${body} }` };
}
