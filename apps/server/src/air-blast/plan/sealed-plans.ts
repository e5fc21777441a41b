import type {
  ParameterVault,
  StoredParameters,
} from '../../commands/parameters/parameter-vault.ts';
import type { Database } from '../../platform/database/database.ts';
import { sealedColumn, type SealedStore } from '../../platform/secrets/sealed-column.ts';
import { resealStoreParameters, type SealedParameter } from './store-parameters.ts';

/** The sealed data of AirBlast: secret parameters of plans, and their values from the parameter store. */
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
    sealedColumn<readonly SealedParameter[]>(database, {
      ...{ table: 'air_blast', key: 'id', column: 'store_parameters', type: 'jsonb' },
      where: `store_parameters <> '[]'`,
      beside: 'revision',
      reseal: ({ id, value, beside }) =>
        resealStoreParameters(vault, { id, revision: Number(beside) }, value),
    }),
  ];
}
