import { z } from 'zod';

/** Relative to the data directory. Not part of backups. */
export const ERASURE_REGISTER_FILE = 'erasures/erased-people.json';

const erasedSchema = z.object({ id: z.uuid(), at: z.iso.datetime() });

/** IDs of erased people and fingerprints of destroyed keys. Stored outside the database, so that a restore keeps it. */
export const erasureRegisterSchema = z.object({
  users: z.array(erasedSchema),
  customers: z.array(erasedSchema),
  /** Destroyed keys with their SHA-256, which is empty for a person without a key. */
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

/** IDs of people in the register that are missing from the other one. */
export function peopleMissingFrom(other: ErasureRegister, register: ErasureRegister): string[] {
  const idsOf = ({ users, customers }: ErasureRegister) => [...users, ...customers].map(idOf);
  const known = new Set(idsOf(other));
  return idsOf(register).filter((id) => !known.has(id));
}

const idOf = ({ id }: { readonly id: string }): string => id;
