import { create } from 'zustand';

/** What somebody is asked about a case, over whatever page they are on. */
export type CaseDialog =
  | {
      readonly kind: 'open';
      readonly person: { readonly id: string; readonly name: string } | null;
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
