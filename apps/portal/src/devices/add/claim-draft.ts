import { DEFAULT_CLAIM_LIFETIME_HOURS } from '@deviceportal/contract/constants';
import type { Translate } from '../../i18n/use-t.ts';
import type { PickedPerson } from '../../people/person-picker.tsx';
import { labelsOf, type LabelEntry } from '../labels-text.ts';

/** The state of the claim form. */
export interface ClaimDraft {
  readonly serialNumber: string;
  readonly name: string;
  readonly model: string;
  readonly owner: PickedPerson | null;
  readonly country: string | null;
  readonly labels: readonly LabelEntry[];
  readonly uses: string;
  readonly lifetimeHours: number;
}

export const emptyClaim: ClaimDraft = {
  serialNumber: '',
  name: '',
  model: '',
  owner: null,
  country: null,
  labels: [],
  uses: '1',
  lifetimeHours: DEFAULT_CLAIM_LIFETIME_HOURS,
};

const SERIAL_NUMBER = /^[A-Z0-9][A-Z0-9_-]{3,63}$/i;
const MAX_USES = 100_000;

export type ClaimProblems = Partial<Record<'name' | 'serialNumber' | 'uses', string>>;

/** Problems of the fields as text. Empty if the claim can be created. */
export function claimProblems(draft: ClaimDraft, t: Translate): ClaimProblems {
  const serialNumber = draft.serialNumber.trim();
  const uses = Number(draft.uses);
  return {
    ...(draft.serialNumber !== '' &&
      draft.name.trim() === '' && { name: t('devices.form.required') }),
    ...(draft.serialNumber !== '' &&
      !SERIAL_NUMBER.test(serialNumber) && { serialNumber: t('devices.form.serialNumber') }),
    ...(!(Number.isInteger(uses) && uses >= 1 && uses <= MAX_USES) && {
      uses: t('devices.form.uses'),
    }),
  };
}

export function claimInput(draft: ClaimDraft) {
  const name = draft.name.trim();
  const serialNumber = draft.serialNumber.trim().toUpperCase();
  return {
    model: draft.model.trim() || null,
    ownerId: draft.owner?.id ?? null,
    country: draft.country,
    labels: labelsOf(draft.labels),
    uses: name === '' ? Number(draft.uses) : 1,
    lifetimeHours: draft.lifetimeHours,
    device: name === '' ? null : { name, serialNumber: serialNumber === '' ? null : serialNumber },
  };
}
