import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { StartError } from '../../platform/process/start-error.ts';
import { createFileSecrets } from '../../platform/secrets/file-secret-engine.ts';
import {
  emptyRegister,
  ERASURE_REGISTER_FILE,
  joinRegisters,
  parseRegister,
  type ErasureRegister,
} from './erasure-register.ts';

/**
 * Who was erased, as it is known outside the backup: in the data folder, and in a file that was kept elsewhere.
 * @throws StartError without a register, unless `--no-erasures` is given
 */
export async function readErasureRegisters(
  dataDir: string,
  options: ReadonlyMap<string, string>,
): Promise<ErasureRegister> {
  const store = createFileSecrets(dataDir);
  const own = await store.read(ERASURE_REGISTER_FILE);
  const named = options.get('erasures');
  if (own === undefined && named === undefined && !options.has('no-erasures')) {
    throw new StartError(
      `Name the register of erased people with --erasures: the newest copy of ${ERASURE_REGISTER_FILE} from the data folder of this installation. Without it, people who were erased after the backup come back; --no-erasures accepts that.`,
    );
  }
  const registers: ErasureRegister[] = [];
  if (own !== undefined) registers.push(parseRegister(own, store.placeOf(ERASURE_REGISTER_FILE)));
  if (named !== undefined) registers.push(parseRegister(await readNamed(resolve(named)), named));
  return joinRegisters(emptyRegister, ...registers);
}

const readNamed = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: unknown) => {
    throw new StartError(`There is no file ${file} that can be read.`, { cause: error });
  });
