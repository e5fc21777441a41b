import { findCycles } from './find-cycles.ts';
import type { Import } from './read-imports.ts';
import type { DependencyRule } from './rules.ts';

/** One line for each import that breaks a rule, and for each cycle, including type imports. */
export function findViolations(
  imports: readonly Import[],
  rules: readonly DependencyRule[],
): string[] {
  const graph = new Map<string, string[]>();
  for (const { from, to } of imports) graph.set(from, [...(graph.get(from) ?? []), to]);
  return [
    ...imports.flatMap((entry) => checkPlace(entry)),
    ...imports.flatMap((entry) =>
      rules
        .filter((rule) => breaks(entry, rule))
        .map((rule) => `${entry.from} imports ${entry.to}: ${rule.name}`),
    ),
    ...findCycles(graph).map((cycle) => `cycle: ${cycle.join(' -> ')}`),
  ];
}

/** Imports that are always wrong: a missing module, or a path into another package's folder. */
function checkPlace({ from, to, relative }: Import): string[] {
  if (to.startsWith('missing:'))
    return [`${from} imports ${to.slice('missing:'.length)}, which is not there`];
  const isDeep = relative && workspaceOf(from) !== workspaceOf(to) && workspaceOf(to) !== '';
  const isSource = /^(apps|packages)\/[^/]+\/src\//.test(from) && !from.endsWith('.test.ts');
  return isDeep && isSource
    ? [`${from} imports ${to} by path: packages are entered through their exports`]
    : [];
}

function workspaceOf(path: string): string {
  return /^(?:apps|packages)\/[^/]+/.exec(path)?.[0] ?? '';
}

function breaks({ from, to, typeOnly }: Import, rule: DependencyRule): boolean {
  const own = rule.from.exec(from);
  if (own === null || rule.notFrom?.test(from)) return false;
  if (!rule.to.test(to) || rule.notTo?.test(to)) return false;
  if (rule.exceptOwn && own[1] !== undefined && to.startsWith(`${own[1]}/`)) return false;
  return !(rule.typesMay && typeOnly);
}
