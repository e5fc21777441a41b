import type pg from 'pg';
import type { Project } from 'typescript/unstable/sync';
import { describeStatement } from './describe-statement.ts';
import { readSchema } from './read-schema.ts';
import type { Statement } from './statement.ts';

/** Selected columns of tables that can be null and are declared without it, as `file function column`. */
export async function findUndeclaredNulls(
  { checker }: Project,
  client: pg.Client,
  statements: readonly Statement[],
): Promise<string[]> {
  const { nullable } = await readSchema(client);
  const found = new Set<string>();
  for (const { owner, row, texts } of statements) {
    if (row === undefined) continue;
    for (const text of texts ?? []) {
      // `findMismatches` tells which statements are refused.
      const { columns } = await describeStatement(client, text).catch(() => ({ columns: [] }));
      for (const { name } of columns.filter(({ source }) => nullable.has(source))) {
        const member = checker.getPropertyOfType(row, name);
        const declared = member && checker.getTypeOfSymbol(member);
        if (declared && checker.getNonNullableType(declared)?.id === declared.id) {
          found.add(`${owner} ${name}`);
        }
      }
    }
  }
  return [...found];
}
