import type { GivenByStore } from '../../commands/parameters/resolve-store-values.ts';
import type { TextVault } from '../../commands/output/text-vault.ts';
import type { NamedParameter } from '../../platform/parameters/parameter-port.ts';

/** A parameter of the store as a plan keeps it: its value only encrypted, whether it is secret or not. */
export type KeptParameter = Omit<NamedParameter, 'value'> & { readonly box: string };

interface Plan {
  readonly id: string;
  readonly revision: number;
}

/** What the store gave when the plan was frozen, bound to exactly this plan. */
export function sealPlanStore(
  vault: Pick<TextVault, 'sealText'>,
  plan: Plan,
  given: GivenByStore,
): KeptParameter[] {
  const found = new Map(Object.values(given).map((one) => [labelOf(one), one]));
  return [...found.values()].map(({ name, version, type, value }) => ({
    name,
    version,
    type,
    box: vault.sealText(ownerOf(plan, { name, version }), value),
  }));
}

/** @throws when one was changed or belongs to another plan or key */
export function openPlanStore(
  vault: Pick<TextVault, 'openText'>,
  plan: Plan,
  kept: readonly KeptParameter[],
): NamedParameter[] {
  return kept.map(({ box, ...one }) => ({
    ...one,
    value: vault.openText(ownerOf(plan, one), box),
  }));
}

/** The same with each sealed with the current key; null where all are already. @throws as `openPlanStore` */
export function resealPlanStore(
  vault: Pick<TextVault, 'resealText'>,
  plan: Plan,
  kept: readonly KeptParameter[],
): KeptParameter[] | null {
  const boxes = kept.map((one) => vault.resealText(ownerOf(plan, one), one.box));
  if (boxes.every((box) => box === null)) return null;
  return kept.map((one, index) => ({ ...one, box: boxes[index] ?? one.box }));
}

type Labelled = Pick<NamedParameter, 'name' | 'version'>;

/** Which parameter in which version, as the audit trail names it. */
export const labelOf = ({ name, version }: Labelled): string => `${name}:${version}`;

const ownerOf = ({ id, revision }: Plan, one: Labelled): string =>
  `air-blast/${id}/${revision}/${labelOf(one)}`;
