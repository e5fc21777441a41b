import type { GivenByStore } from '../../commands/parameters/resolve-store-values.ts';
import type { TextVault } from '../../commands/output/text-vault.ts';
import type { NamedParameter } from '../../platform/parameters/parameter-port.ts';

/** A parameter of the parameter store in a plan. Its value is always encrypted, secret or not. */
export type SealedParameter = Omit<NamedParameter, 'value'> & { readonly box: string };

interface Plan {
  readonly id: string;
  readonly revision: number;
}

/** Seals the values that the parameter store returned for a plan, bound to this plan. */
export function sealStoreParameters(
  vault: Pick<TextVault, 'sealText'>,
  plan: Plan,
  given: GivenByStore,
): SealedParameter[] {
  const found = new Map(Object.values(given).map((one) => [labelOf(one), one]));
  return [...found.values()].map(({ name, version, type, value }) => ({
    name,
    version,
    type,
    box: vault.sealText(ownerOf(plan, { name, version }), value),
  }));
}

/** @throws if a value was modified, or was sealed for another plan or with another key */
export function openStoreParameters(
  vault: Pick<TextVault, 'openText'>,
  plan: Plan,
  kept: readonly SealedParameter[],
): NamedParameter[] {
  return kept.map(({ box, ...one }) => ({
    ...one,
    value: vault.openText(ownerOf(plan, one), box),
  }));
}

/** Seals all values with the current key; null if they already are. @throws like `openStoreParameters` */
export function resealStoreParameters(
  vault: Pick<TextVault, 'resealText'>,
  plan: Plan,
  kept: readonly SealedParameter[],
): SealedParameter[] | null {
  const boxes = kept.map((one) => vault.resealText(ownerOf(plan, one), one.box));
  if (boxes.every((box) => box === null)) return null;
  return kept.map((one, index) => ({ ...one, box: boxes[index] ?? one.box }));
}

type Labelled = Pick<NamedParameter, 'name' | 'version'>;

/** Name and version of a parameter, as in the audit trail. */
export const labelOf = ({ name, version }: Labelled): string => `${name}:${version}`;

const ownerOf = ({ id, revision }: Plan, one: Labelled): string =>
  `air-blast/${id}/${revision}/${labelOf(one)}`;
