import type pg from 'pg';
import type { Project } from 'typescript/unstable/sync';
import { describeStatement, type DescribedStatement } from './describe-statement.ts';
import { fitsParameter, fitsResult } from './fits.ts';
import { readSchema, type DatabaseType, type Schema } from './read-schema.ts';
import type { Statement } from './statement.ts';

/** How statements differ from the schema of the database, by their place. */
export async function findMismatches(
  project: Project,
  client: pg.Client,
  statements: readonly Statement[],
): Promise<string[]> {
  const schema = await readSchema(client);
  const found = new Set<string>();
  for (const statement of statements) {
    for (const text of statement.texts ?? []) {
      const mismatches = await describeStatement(client, text).then(
        (described) => [
          ...resultMismatches(project, schema, statement, described),
          ...parameterMismatches(project, schema, statement, described),
        ],
        (error: Error) => [`is refused: ${error.message}`],
      );
      for (const mismatch of mismatches) found.add(`${statement.place} ${mismatch}`);
    }
  }
  return [...found];
}

function resultMismatches(
  { checker }: Project,
  { types }: Schema,
  { row, readsRows }: Statement,
  { columns }: DescribedStatement,
): string[] {
  if (row === undefined) {
    return readsRows && columns.length > 0 ? ['reads rows without a type'] : [];
  }
  const members = new Map(checker.getPropertiesOfType(row).map((each) => [each.name, each]));
  const selected = new Map(columns.map(({ name, type }) => [name, types.get(type)]));
  const missing = [...members.keys()].filter((name) => !selected.has(name));
  const undeclared = [...selected.keys()].filter((name) => !members.has(name));
  const unfit = [...members].flatMap(([name, member]) => {
    const stored = selected.get(name);
    const declared = checker.getTypeOfSymbol(member);
    if (!stored || !declared || fitsResult(checker, declared, stored)) return [];
    return [`declares ${name}: ${checker.typeToString(declared)}, selects ${nameOf(stored)}`];
  });
  return [
    ...missing.map((name) => `does not select ${name}`),
    ...undeclared.map((name) => `does not declare ${name}`),
    ...unfit,
  ];
}

function parameterMismatches(
  { checker }: Project,
  { types }: Schema,
  { values }: Statement,
  { parameters }: DescribedStatement,
): string[] {
  if (values === undefined) return [];
  if (values.length !== parameters.length) {
    return [`has ${parameters.length} parameters and ${values.length} values`];
  }
  return values.flatMap((node, index) => {
    const stored = types.get(parameters[index] ?? 0);
    const given = checker.getTypeAtLocation(node);
    if (!stored || !given || fitsParameter(checker, given, stored)) return [];
    return [`gives ${checker.typeToString(given)} for $${index + 1}, ${nameOf(stored)}`];
  });
}

function nameOf({ name, isArray }: DatabaseType): string {
  return isArray ? `${name}[]` : name;
}
