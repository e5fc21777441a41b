import { recordFields } from '@deviceportal/audit-proof/audit-record';

/** Archived months in S3 as a table of the Glue Data Catalog. */
export interface ArchiveTable {
  readonly database: string;
  readonly name: string;
  /** `s3://bucket/prefix/`; a month is a folder below. */
  readonly location: string;
}

/** Texts, as in the files. The catalog knows no capital letters, and queries find columns regardless of them. */
export const archiveColumns: readonly string[] = recordFields.map((field) => field.toLowerCase());

/** The column by which the table is partitioned: `2026-08`. */
export const MONTH_COLUMN = 'month';

/**
 * Parameters of the table. Athena computes the partitions from them (partition projection), so that no month is ever
 * registered.
 */
export const archiveTableParameters = ({
  location,
}: Pick<ArchiveTable, 'location'>): Readonly<Record<string, string>> => ({
  classification: 'parquet',
  'projection.enabled': 'true',
  [`projection.${MONTH_COLUMN}.type`]: 'date',
  [`projection.${MONTH_COLUMN}.format`]: 'yyyy-MM',
  [`projection.${MONTH_COLUMN}.range`]: '2020-01,NOW',
  'storage.location.template': `${location}\${${MONTH_COLUMN}}/`,
});

/** The table in SQL, quoted. */
export const nameOfTable = ({ database, name }: Pick<ArchiveTable, 'database' | 'name'>): string =>
  `"${database}"."${name}"`;

/** Statements that create the database and the table, each if it does not exist. */
export function archiveTableStatements(table: ArchiveTable): readonly string[] {
  const { database, name, location } = table;
  const columns = archiveColumns.map((column) => `\`${column}\` string`).join(', ');
  const parameters = Object.entries(archiveTableParameters(table))
    .map(([key, value]) => `'${key}' = '${value}'`)
    .join(', ');
  return [
    `create database if not exists \`${database}\``,
    `create external table if not exists \`${database}\`.\`${name}\` (${columns})
     partitioned by (\`${MONTH_COLUMN}\` string) stored as parquet location '${location}'
     tblproperties (${parameters})`,
  ];
}
