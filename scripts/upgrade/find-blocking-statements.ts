/** A statement of a migration that blocks servers of the release before while it runs. */
export interface BlockingStatement {
  readonly statement: string;
  readonly because: string;
}

/** Says why a statement may block: `-- blocks writes: one row per server`. */
const ALLOWED = /--\s*blocks writes: \S+/i;
const NAME = String.raw`(?:only\s+)?(?:if\s+exists\s+)?((?:"?\w+"?\.)?"?\w+"?)`;
const alter = (change: string): RegExp =>
  new RegExp(String.raw`^alter\s+table\s+${NAME}\b[^;]*?\b(?:${change})`, 'i');

/** With the table as the first group (PostgreSQL, ALTER TABLE and chapter 13.3). */
const rules: readonly { readonly pattern: RegExp; readonly because: string }[] = [
  {
    pattern: new RegExp(String.raw`^create\s+(?:unique\s+)?index\b[^;]*?\son\s+${NAME}`, 'i'),
    because: 'an index blocks writes until it is built',
  },
  {
    pattern: alter(String.raw`alter\s+(?:column\s+)?"?\w+"?\s+(?:set\s+data\s+)?type\b`),
    because: 'a change of type rewrites the table',
  },
  {
    pattern: alter(String.raw`set\s+not\s+null`),
    because: 'the whole table is read under a lock',
  },
  {
    pattern: alter(
      String.raw`add\s+(?:constraint\s+"?\w+"?\s+)?(?:check|foreign\s+key|unique|primary\s+key|exclude)\b(?![^;]*\bnot\s+valid\b)`,
    ),
    because: 'the whole table is read under a lock, unless the constraint is NOT VALID',
  },
  {
    pattern: alter(
      String.raw`add\s+(?:column\s+)?(?!constraint\b)[^;]*(?:\bserial\b|\bbigserial\b|\bstored\b|gen_random_uuid|random\(|clock_timestamp|nextval)`,
    ),
    because: 'a value of its own for each row rewrites the table',
  },
  {
    pattern: new RegExp(String.raw`^(?:lock\s+table|vacuum\s+full|cluster)\s+${NAME}`, 'i'),
    because: 'the table is locked until the migration ends',
  },
  {
    pattern: new RegExp(String.raw`^(?:update|delete\s+from)\s+${NAME}`, 'i'),
    because: 'changed rows are locked until the migration ends',
  },
];

/**
 * Statements of migrations that keep a lock on a table that existed before. All migrations run in one
 * transaction, so an index cannot be created concurrently.
 *
 * @param migrations texts, in their order
 */
export function findBlockingStatements(migrations: readonly string[]): BlockingStatement[] {
  const created = new Set<string>();
  return migrations.flatMap(statementsOf).flatMap((statement) => {
    const text = statement.replaceAll(/--[^\n]*\n?/g, '').trim();
    const [, table] =
      new RegExp(String.raw`^create\s+table\s+(?:if\s+not\s+exists\s+)?${NAME}`, 'i').exec(text) ??
      [];
    if (table !== undefined) created.add(plain(table));
    if (ALLOWED.test(statement)) return [];
    const broken = rules.find(({ pattern }) => {
      const [, on] = pattern.exec(text) ?? [];
      return on !== undefined && !created.has(plain(on));
    });
    return broken === undefined ? [] : [{ statement: text, because: broken.because }];
  });
}

/** Function bodies, which contain semicolons, are quoted by dollars. */
function statementsOf(text: string): string[] {
  const bodies: string[] = [];
  const folded = text.replaceAll(
    /\$(\w*)\$[\s\S]*?\$\1\$/g,
    (body) => `$${bodies.push(body) - 1}$`,
  );
  return folded.split(/;[^\S\n]*(?:--> statement-breakpoint)?|--> statement-breakpoint/);
}

const plain = (name: string): string =>
  name
    .replaceAll('"', '')
    .replace(/^public\./, '')
    .toLowerCase();
