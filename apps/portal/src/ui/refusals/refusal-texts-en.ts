import { refusals } from '@deviceportal/contract/refusals';

/** What the portal says of each refusal in English: the sentence that it is declared with. */
export const refusalTexts: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(refusals).map(([reason, { sentence }]) => [`refusal.${reason}`, sentence]),
);
