import { create } from 'zustand';

/** Texts by the name of their field. */
type Draft = Readonly<Record<string, string>>;

const empty: Draft = {};
/** What was typed and neither sent nor given up. It ends with the session, as everything in the page's memory does. */
const useDrafts = create<Readonly<Record<string, Draft>>>(() => ({}));

export interface CaseDraft {
  readonly textOf: (field: string) => string;
  readonly setText: (field: string, text: string) => void;
  /** It was sent or given up. */
  readonly forget: () => void;
}

/** What somebody types about a case, there again when they come back to it from another page. */
export function useCaseDraft(of: string): CaseDraft {
  const draft = useDrafts((drafts) => drafts[of]) ?? empty;
  const keep = (next: Draft): void => useDrafts.setState({ [of]: next });
  return {
    textOf: (field) => draft[field] ?? '',
    setText: (field, text) => keep({ ...draft, [field]: text }),
    forget: () => keep(empty),
  };
}
