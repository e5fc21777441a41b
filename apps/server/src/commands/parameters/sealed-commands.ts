import { inTransaction, type Database } from '../../platform/database/database.ts';
import { sealedColumn, type SealedStore } from '../../platform/secrets/sealed-column.ts';
import type { ParameterVault, StoredParameters } from './parameter-vault.ts';
import { resealSecureValues } from './keep-secure-values.ts';
import type { Authorization } from '../signing/authorization.ts';
import { resealBlinding } from '../signing/blinding.ts';

interface SealedDeps {
  readonly database: Pick<Database, 'orm'>;
  readonly vault: ParameterVault;
}

/** All encrypted data of commands: secret parameters, parameter store values, and blindings of signed digests. */
export function sealedCommands({ database, vault }: SealedDeps): readonly SealedStore[] {
  const parametersOf = (table: string): SealedStore =>
    sealedColumn<StoredParameters>(database, {
      ...{ table, key: 'id', column: 'parameters', type: 'jsonb' },
      where: `parameters ?| array['$sealed', '$store']`,
      reseal: ({ id, value }) => vault.reseal(id, value),
    });
  return [
    parametersOf('command_run'),
    parametersOf('run_schedule'),
    sealedColumn<string>(database, {
      ...{ table: 'run_signature', key: 'run_id', column: 'blinding', type: 'text' },
      reseal: ({ id, value }) => resealBlinding(vault, id, value),
    }),
    sealedColumn<Authorization>(database, {
      ...{ table: 'run_schedule', key: 'id', column: 'signed_authorization', type: 'jsonb' },
      where: `signed_authorization ? 'blinding'`,
      reseal: ({ id, value }) => {
        const blinding = resealBlinding(vault, id, value.blinding ?? '');
        return blinding === null ? null : { ...value, blinding };
      },
    }),
    {
      name: 'secure_value.box',
      reseal: () => inTransaction(database, (tx) => resealSecureValues(tx, vault)),
    },
  ];
}
