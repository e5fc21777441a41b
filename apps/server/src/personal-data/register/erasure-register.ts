import { z } from 'zod';

/** In the data directory, and in no backup. */
export const ERASURE_REGISTER_FILE = 'erasures/erased-people.json';

const erasedSchema = z.object({ id: z.uuid(), at: z.iso.datetime() });

/** Who was erased, by ids and fingerprints alone. Kept outside the database, so that it outlives a restore. */
export const erasureRegisterSchema = z.object({
  users: z.array(erasedSchema),
  customers: z.array(erasedSchema),
  /** Keys that were destroyed, with the SHA-256 of each; empty for a person who had none. */
  keys: z.array(erasedSchema.extend({ fingerprint: z.string().max(64) })),
});
export type ErasureRegister = z.infer<typeof erasureRegisterSchema>;

export const emptyRegister: ErasureRegister = { users: [], customers: [], keys: [] };

/** The union of registers. */
export function joinRegisters(...registers: readonly ErasureRegister[]): ErasureRegister {
  const byId = <Entry extends { readonly id: string }>(
    entriesOf: (register: ErasureRegister) => readonly Entry[],
  ): Entry[] => [
    ...new Map(registers.flatMap(entriesOf).map((entry) => [entry.id, entry])).values(),
  ];
  return {
    users: byId(({ users }) => users),
    customers: byId(({ customers }) => customers),
    keys: byId(({ keys }) => keys),
  };
}

export const sizeOf = ({ users, customers, keys }: ErasureRegister): number =>
  users.length + customers.length + keys.length;

/** People of a register who are missing from another. */
export function peopleMissingFrom(other: ErasureRegister, register: ErasureRegister): string[] {
  const idsOf = ({ users, customers }: ErasureRegister) => [...users, ...customers].map(idOf);
  const known = new Set(idsOf(other));
  return idsOf(register).filter((id) => !known.has(id));
}

const idOf = ({ id }: { readonly id: string }): string => id;
