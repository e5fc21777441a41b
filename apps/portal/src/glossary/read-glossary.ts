export interface GlossaryTerm {
  readonly english: string;
  readonly chinese: string;
  readonly meaning: { readonly en: string; readonly 'zh-CN': string };
}

const COLUMNS = 6;

/**
 * The terms of the table in docs/glossary.md.
 * @throws Error when a row does not have its six columns.
 */
export function readGlossary(markdown: string): readonly GlossaryTerm[] {
  const rows = markdown.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) => {
    const cells = row.split('|').slice(1, -1);
    const [, english = '', chinese = '', en = '', zh = ''] = cells.map((cell) => cell.trim());
    if (cells.length !== COLUMNS) throw new Error(`Expected ${COLUMNS} columns: ${row}`);
    return { english, chinese, meaning: { en, 'zh-CN': zh } };
  });
}
