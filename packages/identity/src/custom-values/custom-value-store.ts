import type { Queryable } from '../database/in-transaction.ts';
import type { CustomValue } from './custom-value.ts';

/** Owner of values: a type of the contract's `UDFTargetType`, and an ID. */
export interface CustomValueTarget {
  readonly type: string;
  readonly id: string;
}

export async function listCustomValues(
  db: Queryable,
  { type, id }: CustomValueTarget,
): Promise<CustomValue[]> {
  const answer = await db.query<CustomValue>(
    `select key, data_type as "dataType", value, label from identity.provider_custom_value
      where target_type = $1 and target_id = $2 order by key`,
    [type, id],
  );
  return answer.rows;
}

/** Stores several values; existing values of a key are replaced, labels are kept. */
export async function setCustomValues(
  db: Queryable,
  { type, id }: CustomValueTarget,
  values: readonly CustomValue[],
  at: Date,
): Promise<void> {
  await db.query(
    `insert into identity.provider_custom_value
       (target_type, target_id, key, data_type, value, modified_at)
     select $1, $2, key, data_type, value, $6
       from unnest($3::text[], $4::text[], $5::text[]) as given (key, data_type, value)
     on conflict (target_type, target_id, key) do update
       set data_type = excluded.data_type, value = excluded.value, modified_at = excluded.modified_at`,
    [
      type,
      id,
      values.map(({ key }) => key),
      values.map(({ dataType }) => dataType),
      values.map(({ value }) => value),
      at,
    ],
  );
}

/** @returns whether there was one */
export async function removeCustomValue(
  db: Queryable,
  { type, id }: CustomValueTarget,
  key: string,
): Promise<boolean> {
  const answer = await db.query(
    `delete from identity.provider_custom_value
      where target_type = $1 and target_id = $2 and key = $3`,
    [type, id, key],
  );
  return answer.rowCount === 1;
}
