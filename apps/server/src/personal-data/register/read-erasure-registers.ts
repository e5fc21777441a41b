import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Executor } from '../../platform/database/database.ts';
import { StartError } from '../../platform/process/start-error.ts';
import { createFileSecrets } from '../../platform/secrets/file-secret-engine.ts';
import type { VerifyingKey } from '../../platform/secrets/signing-key.ts';
import {
  ERASURE_REGISTER_FILE,
  joinRegisters,
  peopleMissingFrom,
  sizeOf,
  type ErasureRegister,
} from './erasure-register.ts';
import { readErasures } from './read-erasures.ts';
import { parseRegister } from './signed-register.ts';

/** Erasures that are known outside a backup. */
export interface KnownErasures {
  /** The union of the registers. */
  readonly register: ErasureRegister;
  /** @throws StartError if a register was changed, or is from another installation */
  requireTrusted(isTrusted: (key: VerifyingKey) => boolean): void;
  /** @throws StartError if the registers are older than the backup, which contains erasures that they do not */
  requireNewerThan(backup: Executor): Promise<void>;
}

const advice = `Name the newest copy of ${ERASURE_REGISTER_FILE} from the data directory of this installation with --erasures. Without it, people who were erased after the backup come back; --no-erasures accepts that.`;

/**
 * The registers of erased people for a restore: from the data directory, and from `--erasures`.
 * @throws StartError if there is no register or it is empty, unless `--no-erasures` is given
 */
export async function readErasureRegisters(
  dataDir: string,
  options: ReadonlyMap<string, string>,
): Promise<KnownErasures> {
  const store = createFileSecrets(dataDir);
  const own = await store.read(ERASURE_REGISTER_FILE);
  const named = options.get('erasures');
  const accepts = options.has('no-erasures');
  const found = [
    ...(own === undefined ? [] : [parseRegister(own, store.placeOf(ERASURE_REGISTER_FILE))]),
    ...(named === undefined ? [] : [parseRegister(await readNamed(resolve(named)), named)]),
  ];
  const register = joinRegisters(...found.map((signed) => signed.register));
  if (!accepts) {
    if (found.length === 0)
      throw new StartError(`No register of erased people was found. ${advice}`);
    if (sizeOf(register) === 0)
      throw new StartError(`The register of erased people is empty. ${advice}`);
  }
  return {
    register,
    requireTrusted(isTrusted) {
      for (const signed of found) signed.requireTrusted(isTrusted);
    },
    async requireNewerThan(backup) {
      const missing = accepts ? [] : peopleMissingFrom(register, await readErasures(backup));
      if (missing.length === 0) return;
      throw new StartError(
        `The register of erased people is older than the backup, which contains ${missing.length} erasures more. ${advice}`,
      );
    },
  };
}

const readNamed = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: unknown) => {
    throw new StartError(`There is no file ${file} that can be read.`, { cause: error });
  });
