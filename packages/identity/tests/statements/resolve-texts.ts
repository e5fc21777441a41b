import * as ast from 'typescript/unstable/ast';
import { SymbolFlags, type Project } from 'typescript/unstable/sync';

/** Texts by the name of a parameter or loop variable. */
type Scope = ReadonlyMap<string, readonly string[]>;
type Texts = readonly string[] | undefined;

const EMPTY: Scope = new Map();

/** Every text that the expression can have, as far as constants, literal types and one-line functions tell. */
export function resolveTexts(project: Project, expression: ast.Node): Texts {
  const rounds = loopScopes(project, expression).map((scope) =>
    textsOf(project, expression, scope),
  );
  const texts = new Set(rounds.flatMap((each) => each ?? []));
  return rounds.includes(undefined) || texts.size === 0 ? undefined : [...texts];
}

function textsOf(project: Project, node: ast.Node, scope: Scope): Texts {
  if (ast.isStringLiteral(node) || ast.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (ast.isTemplateExpression(node)) return textsOfTemplate(project, node, scope);
  if (ast.isIdentifier(node) && scope.has(node.text)) return scope.get(node.text);
  if (ast.isCallExpression(node)) return textsOfCall(project, node, scope);
  if (ast.isConditionalExpression(node)) return textsOfBranches(project, node, scope);
  return (
    textsOfType(project, node) ??
    (ast.isIdentifier(node) ? textsOfConstant(project, node) : undefined)
  );
}

function textsOfTemplate(project: Project, node: ast.TemplateExpression, scope: Scope): Texts {
  let texts: readonly string[] = [node.head.text];
  for (const { expression, literal } of node.templateSpans) {
    const inserted = textsOf(project, expression, scope);
    if (inserted === undefined) return undefined;
    texts = texts.flatMap((text) => inserted.map((part) => text + part + literal.text));
  }
  return texts;
}

function textsOfBranches(project: Project, node: ast.ConditionalExpression, scope: Scope): Texts {
  const whenTrue = textsOf(project, node.whenTrue, scope);
  const whenFalse = textsOf(project, node.whenFalse, scope);
  return whenTrue && whenFalse && [...whenTrue, ...whenFalse];
}

/** A call of a function that only returns an expression. */
function textsOfCall(project: Project, node: ast.CallExpression, scope: Scope): Texts {
  const callee = constantOf(project, node.expression);
  if (callee === undefined || !ast.isArrowFunction(callee) || ast.isBlock(callee.body)) {
    return undefined;
  }
  const inner = new Map<string, readonly string[]>();
  for (const [index, { name }] of callee.parameters.entries()) {
    const given = node.arguments[index];
    const texts = given && textsOf(project, given, scope);
    if (texts === undefined || !ast.isIdentifier(name)) return undefined;
    inner.set(name.text, texts);
  }
  return textsOf(project, callee.body, inner);
}

/** The strings of a type that consists of them. */
function textsOfType({ checker }: Project, node: ast.Node): Texts {
  const type = checker.getTypeAtLocation(node);
  const parts = type?.isUnionType() ? type.getTypes() : type ? [type] : [];
  const texts = parts.map((part) => (part.isStringLiteralType() ? part.value : undefined));
  return texts.length === 0 || texts.includes(undefined)
    ? undefined
    : texts.filter((text) => text !== undefined);
}

function textsOfConstant(project: Project, node: ast.Node): Texts {
  const value = constantOf(project, node);
  return value && textsOf(project, value, EMPTY);
}

/** What the constant was set to, also in another file. */
function constantOf(project: Project, node: ast.Node): ast.Expression | undefined {
  const { checker } = project;
  const named = checker.getSymbolAtLocation(node);
  const symbol = named && named.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named;
  const declaration = symbol?.valueDeclaration?.resolve(project);
  if (!declaration || !ast.isVariableDeclaration(declaration)) return undefined;
  const isConstant = Boolean(declaration.parent.flags & ast.NodeFlags.Const);
  return isConstant ? declaration.initializer : undefined;
}

/** One scope for each round of the loops around the expression. */
function loopScopes(project: Project, expression: ast.Node): readonly Scope[] {
  let scopes: readonly Scope[] = [EMPTY];
  for (let node = expression.parent; node !== undefined; node = node.parent) {
    if (!ast.isForOfStatement(node)) continue;
    const rounds = roundsOf(project, node);
    scopes = scopes.flatMap((scope) => rounds.map((round) => new Map([...scope, ...round])));
  }
  return scopes;
}

function roundsOf(project: Project, loop: ast.ForOfStatement): readonly Scope[] {
  const list = withoutAssertion(
    ast.isIdentifier(loop.expression) ? constantOf(project, loop.expression) : loop.expression,
  );
  const { initializer } = loop;
  const name = ast.isVariableDeclarationList(initializer)
    ? initializer.declarations[0]?.name
    : undefined;
  if (list === undefined || name === undefined || !ast.isArrayLiteralExpression(list)) {
    return [EMPTY];
  }
  return list.elements.map((element) => bind(name, element));
}

function bind(name: ast.BindingName, value: ast.Expression): Scope {
  if (ast.isIdentifier(name)) {
    return ast.isStringLiteral(value) ? new Map([[name.text, [value.text]]]) : EMPTY;
  }
  const parts = name.elements.flatMap((element, index) => {
    if (!ast.isBindingElement(element) || !element.name) return [];
    const part = partOf(value, element, index);
    return part === undefined ? [] : [...bind(element.name, part)];
  });
  return new Map(parts);
}

function partOf(
  value: ast.Expression,
  { name, propertyName }: ast.BindingElement,
  index: number,
): ast.Expression | undefined {
  if (ast.isArrayLiteralExpression(value)) return value.elements[index];
  if (!ast.isObjectLiteralExpression(value)) return undefined;
  const key = (propertyName ?? name)?.getText();
  return value.properties
    .filter(ast.isPropertyAssignment)
    .find((each) => each.name.getText() === key)?.initializer;
}

function withoutAssertion(node: ast.Expression | undefined): ast.Expression | undefined {
  return node && (ast.isAsExpression(node) || ast.isSatisfiesExpression(node))
    ? withoutAssertion(node.expression)
    : node;
}
