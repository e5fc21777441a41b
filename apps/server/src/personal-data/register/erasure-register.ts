import { z } from 'zod';
import { StartError } from '../../platform/process/start-error.ts';

export const ERASURE_REGISTER_FILE = 'erasures/erased-people.json';

const erasedSchema = z.object({ id: z.uuid(), at: z.iso.datetime() });

/** Who was erased, by ids and fingerprints alone: kept outside the database, so that it outlives a restore. */
const erasureRegisterSchema = z.object({
  version: z.literal(1),
  users: z.array(erasedSchema),
  customers: z.array(erasedSchema),
  /** Keys that were destroyed, with the SHA-256 of each; empty for a person who had none. */
  keys: z.array(erasedSchema.extend({ fingerprint: z.string().max(64) })),
});
export type ErasureRegister = z.infer<typeof erasureRegisterSchema>;

export const emptyRegister: ErasureRegister = { version: 1, users: [], customers: [], keys: [] };

/** @throws StartError when it is none */
export function parseRegister(content: Uint8Array, place: string): ErasureRegister {
  try {
    return erasureRegisterSchema.parse(JSON.parse(Buffer.from(content).toString('utf8')));
  } catch (error) {
    throw new StartError(`${place} is not a register of erased people.`, { cause: error });
  }
}

export const registerText = (register: ErasureRegister): Buffer =>
  Buffer.from(`${JSON.stringify(register, null, 2)}\n`);

/** Everything that any of them names. */
export function joinRegisters(...registers: readonly ErasureRegister[]): ErasureRegister {
  const byId = <Entry extends { readonly id: string }>(
    entriesOf: (register: ErasureRegister) => readonly Entry[],
  ): Entry[] => [
    ...new Map(registers.flatMap(entriesOf).map((entry) => [entry.id, entry])).values(),
  ];
  return {
    version: 1,
    users: byId(({ users }) => users),
    customers: byId(({ customers }) => customers),
    keys: byId(({ keys }) => keys),
  };
}

export const sizeOf = ({ users, customers, keys }: ErasureRegister): number =>
  users.length + customers.length + keys.length;
