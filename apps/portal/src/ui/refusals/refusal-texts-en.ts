import { refusals } from '@deviceportal/contract/refusals';

/** The English texts of refusals, from their declarations. */
export const refusalTexts: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(refusals).map(([reason, { sentence }]) => [`refusal.${reason}`, sentence]),
);
