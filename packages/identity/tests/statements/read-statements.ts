import { relative } from 'node:path';
import * as ast from 'typescript/unstable/ast';
import type { Project } from 'typescript/unstable/sync';
import { resolveTexts } from './resolve-texts.ts';
import type { Statement } from './statement.ts';

/** Every call of a method `query` in the files of this folder. */
export function readStatements(project: Project, folder: string): Statement[] {
  return project.rootFiles
    .filter((path) => path.startsWith(folder))
    .flatMap((path) => {
      const file = project.program.getSourceFile(path);
      return file ? callsIn(file).map((call) => statementOf(project, file, call, folder)) : [];
    });
}

function callsIn(node: ast.Node): ast.CallExpression[] {
  const found: ast.CallExpression[] = isQuery(node) ? [node] : [];
  node.forEachChild((child) => void found.push(...callsIn(child)));
  return found;
}

function isQuery(node: ast.Node): node is ast.CallExpression {
  return (
    ast.isCallExpression(node) &&
    ast.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === 'query'
  );
}

function statementOf(
  project: Project,
  file: ast.SourceFile,
  call: ast.CallExpression,
  folder: string,
): Statement {
  const path = relative(folder, file.fileName);
  const line = file.text.slice(0, call.getStart()).split('\n').length;
  const [text, values] = call.arguments;
  const row = call.typeArguments?.[0];
  return {
    place: `${path}:${line}`,
    owner: `${path} ${nameAround(call)}`,
    texts: text && resolveTexts(project, text),
    row: row && project.checker.getTypeFromTypeNode(row),
    readsRows: readsRows(call),
    values: valuesOf(values),
  };
}

function nameAround(node: ast.Node): string {
  for (let each = node.parent; each !== undefined; each = each.parent) {
    if (ast.isFunctionDeclaration(each) && each.name) return each.name.text;
  }
  return '';
}

/** Undefined where the list is not written out at the call. */
function valuesOf(node: ast.Node | undefined): readonly ast.Node[] | undefined {
  if (node === undefined) return [];
  if (!ast.isArrayLiteralExpression(node) || node.elements.some(ast.isSpreadElement)) {
    return undefined;
  }
  return node.elements;
}

/** `const { rows } = await …`, or `const answer = await …` with `answer.rows` later in the block. */
function readsRows(call: ast.CallExpression): boolean {
  const declaration = call.parent.parent;
  if (ast.isAwaitExpression(call.parent) && ast.isExpressionStatement(declaration)) return false;
  if (!ast.isVariableDeclaration(declaration)) return true;
  const { name } = declaration;
  if (!ast.isIdentifier(name)) return name.getText().includes('rows');
  const block = declaration.parent.parent.parent;
  return new RegExp(`\\b${name.text}\\??\\.rows\\b`).test(block.getText());
}
