import { parseAst } from 'rolldown/parseAst';
import type { SourceText } from './find-sql-clocks.ts';

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
}

/**
 * One line for each fragment that is a child of SpaceBetween. It takes the fragment for one child, so
 * the children of the fragment have no space between them.
 */
export function findSpacedFragments(sources: readonly SourceText[]): string[] {
  return sources.flatMap(({ path, text }) => {
    const fragments: SyntaxNode[] = [];
    visit(parseAst(text, { lang: 'tsx' }, path), (node) => {
      if (nameOf(node) === 'SpaceBetween') fragments.push(...fragmentsIn(childrenOf(node)));
      return true;
    });
    return fragments.map(
      ({ start }) =>
        `${path}:${text.slice(0, start).split('\n').length} has a fragment in SpaceBetween: use another SpaceBetween`,
    );
  });
}

/** Fragments that are rendered without an element around them. */
function fragmentsIn(children: unknown): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  visit(children, (node) => {
    if (node.type === 'JSXFragment' || nameOf(node) === 'Fragment') found.push(node);
    return node.type !== 'JSXElement' && node.type !== 'JSXFragment';
  });
  return found;
}

/** Visits a node and the nodes in it, except below those for which the visitor returns false. */
function visit(value: unknown, visitor: (node: SyntaxNode) => boolean): void {
  if (typeof value !== 'object' || value === null) return;
  if (isNode(value) && !visitor(value)) return;
  for (const part of Object.values(value)) visit(part, visitor);
}

const isNode = (value: object): value is SyntaxNode =>
  'type' in value && typeof value.type === 'string' && 'start' in value;

const childrenOf = (node: SyntaxNode): unknown => ('children' in node ? node.children : []);

/** The name of an element. Undefined for other nodes. */
function nameOf(node: SyntaxNode): string | undefined {
  const { openingElement } = node as { openingElement?: { name?: { name?: string } } };
  return openingElement?.name?.name;
}
