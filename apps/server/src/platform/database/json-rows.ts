import { sql, type Column, type GetColumnData, type SQL, type SQLWrapper } from 'drizzle-orm';

type Fields = Readonly<Record<string, Column | SQL | SQL.Aliased>>;

type ValueOf<Field> = Field extends Column
  ? InJson<GetColumnData<Field>>
  : Field extends SQL<infer Value> | SQL.Aliased<infer Value>
    ? InJson<Value>
    : never;

/** PostgreSQL converts timestamps in JSON to ISO 8601. */
type InJson<Value> = Value extends Date ? string : Value;

export type JsonObject<Of extends Fields> = { readonly [Name in keyof Of]: ValueOf<Of[Name]> };

/** Columns as one JSON object. */
export const jsonObject = <Of extends Fields>(fields: Of): SQL<JsonObject<Of>> =>
  sql<JsonObject<Of>>`jsonb_build_object(${sql.join(
    Object.entries(fields).map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`),
    sql`, `,
  )})`;

interface Aggregation {
  readonly orderBy?: SQLWrapper;
  /** Which rows of the group to include, for example the existing ones of a `left join`. */
  readonly filter?: SQLWrapper;
}

/** The values of a group as a JSON array, empty without rows. */
export const jsonArray = <Value extends Column | SQL | SQL.Aliased>(
  value: Value,
  { orderBy, filter }: Aggregation = {},
): SQL<ValueOf<Value>[]> =>
  sql<
    ValueOf<Value>[]
  >`coalesce(jsonb_agg(${value}${orderBy === undefined ? sql.empty() : sql` order by ${orderBy}`})${
    filter === undefined ? sql.empty() : sql` filter (where ${filter})`
  }, '[]')`;
