import type { z } from 'zod';
import { describeSchema } from './describe-schema.ts';
import { code, GENERATED, type ReferencePage } from './markdown.ts';

interface Procedure {
  readonly _def: {
    readonly type: 'query' | 'mutation' | 'subscription';
    readonly meta?: {
      readonly permission?: string | readonly string[];
      readonly stepUp?: string | { readonly purpose: string; readonly when: string };
    };
    readonly inputs?: readonly z.ZodType[];
  };
}

interface Router {
  readonly _def: { readonly procedures: Readonly<Record<string, Procedure>> };
}

/** @param router tRPC's router, of which only the flat list of procedures is read */
export function proceduresPage(router: unknown): ReferencePage {
  const procedures = Object.entries((router as Router)._def.procedures).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const sections = procedures.map(([path, { _def }]) => {
    const permission = _def.meta?.permission ?? 'no permission';
    const needs = typeof permission === 'string' ? [permission] : permission;
    const inputs = (_def.inputs ?? []).map(describeSchema);
    const method = _def.type === 'mutation' ? 'POST' : 'GET';
    return [
      `## ${path}`,
      `${_def.type} (${method} ${code(`/api/trpc/${path}`)}), requires ${needs.map(code).join(' or ')}${stepUpOf(_def.meta?.stepUp)}.`,
      ...(inputs.length === 0 ? ['No input.'] : inputs),
    ].join('\n\n');
  });
  return {
    file: 'procedures.md',
    text: `${GENERATED}

# Procedures

The product API: tRPC with superjson at \`/api/trpc\`. Requests have the ID token as bearer token. ${procedures.length} procedures.

${sections.join('\n\n')}
`,
  };
}

function stepUpOf(rule: NonNullable<Procedure['_def']['meta']>['stepUp']): string {
  if (rule === undefined) return '';
  return typeof rule === 'string'
    ? `, and a step-up (${rule})`
    : `, and a step-up (${rule.purpose}) ${rule.when}`;
}
