import type { NamedPerson } from '@deviceportal/contract/people';
import { create } from 'zustand';

/** A dialog about a case, which can open over any page. */
export type CaseDialog =
  | {
      readonly kind: 'open';
      readonly person: ({ readonly id: string } & NamedPerson) | null;
    }
  | { readonly kind: 'note'; readonly id: string; readonly personName: string }
  | { readonly kind: 'close'; readonly id: string; readonly personName: string };

const useAsked = create<{ readonly dialog: CaseDialog | null }>(() => ({ dialog: null }));

export function askAboutCase(dialog: CaseDialog | null): void {
  useAsked.setState({ dialog });
}

export function useCaseDialog(): CaseDialog | null {
  return useAsked().dialog;
}
