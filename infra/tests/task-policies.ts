import type { Synthesized } from './synthesize.ts';

export interface Policy {
  readonly statements: readonly {
    readonly actions: readonly string[];
    /** References are written as `<reference>`. */
    readonly resources: readonly string[];
  }[];
}

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource?: unknown;
}

/** The policies of tasks, by the name of the task. */
export function policiesOf({ templates }: Synthesized): ReadonlyMap<string, Policy> {
  const found = new Map<string, Policy>();
  for (const [id, { Type, Properties }] of templates.flatMap(({ resources }) => resources)) {
    if (Type !== 'AWS::IAM::ManagedPolicy') continue;
    const { PolicyDocument: document } = Properties as unknown as {
      readonly PolicyDocument: { readonly Statement: readonly Statement[] };
    };
    found.set(id.replace(/Policy[0-9A-F]{8}$/, ''), {
      statements: document.Statement.map(({ Action, Resource = [] }) => ({
        actions: [Action].flat(),
        resources: [Resource].flat().map(textOf),
      })),
    });
  }
  return found;
}

function textOf(resource: unknown): string {
  if (typeof resource === 'string') return resource;
  const joined = (resource as { readonly 'Fn::Join'?: readonly [string, readonly unknown[]] })[
    'Fn::Join'
  ];
  if (joined === undefined) return '<reference>';
  return joined[1].map((part) => (typeof part === 'string' ? part : '<reference>')).join(joined[0]);
}
