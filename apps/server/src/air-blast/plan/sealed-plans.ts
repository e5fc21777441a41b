import type {
  ParameterVault,
  StoredParameters,
} from '../../commands/parameters/parameter-vault.ts';
import type { Database } from '../../platform/database/database.ts';
import { sealedColumn, type SealedStore } from '../../platform/secrets/sealed-column.ts';
import { resealPlanStore, type KeptParameter } from './plan-store.ts';

/** Everything of AirBlast that is sealed: secret parameters of plans, and what the store gave them. */
export function sealedPlans(deps: {
  readonly database: Pick<Database, 'orm'>;
  readonly vault: ParameterVault;
}): readonly SealedStore[] {
  const { database, vault } = deps;
  return [
    sealedColumn<StoredParameters>(database, {
      ...{ table: 'air_blast', key: 'id', column: 'parameters', type: 'jsonb' },
      where: `parameters ?| array['$sealed', '$store']`,
      reseal: ({ id, value }) => vault.reseal(id, value),
    }),
    sealedColumn<readonly KeptParameter[]>(database, {
      ...{ table: 'air_blast', key: 'id', column: 'store_parameters', type: 'jsonb' },
      where: `store_parameters <> '[]'`,
      beside: 'revision',
      reseal: ({ id, value, beside }) =>
        resealPlanStore(vault, { id, revision: Number(beside) }, value),
    }),
  ];
}
