import type { Department } from './department-store.ts';

/** A department on the wire; names in other languages are not kept. */
export function toWireDepartment({ createdAt, modifiedAt, ...department }: Department) {
  return {
    ...department,
    nameI18n: null,
    descriptionI18n: null,
    createdAt: createdAt.toISOString(),
    updatedAt: modifiedAt.toISOString(),
  };
}
