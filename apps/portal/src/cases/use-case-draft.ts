import { create } from 'zustand';

/** Texts by field name. */
type Draft = Readonly<Record<string, string>>;

const empty: Draft = {};
/** Unsent texts, kept in memory for the session. */
const useDrafts = create<Readonly<Record<string, Draft>>>(() => ({}));

export interface CaseDraft {
  readonly textOf: (field: string) => string;
  readonly setText: (field: string, text: string) => void;
  /** Called when the texts were sent or discarded. */
  readonly forget: () => void;
}

/** The unsent text of a form about a case, restored when the user returns from another page. */
export function useCaseDraft(of: string): CaseDraft {
  const draft = useDrafts((drafts) => drafts[of]) ?? empty;
  const keep = (next: Draft): void => useDrafts.setState({ [of]: next });
  return {
    textOf: (field) => draft[field] ?? '',
    setText: (field, text) => keep({ ...draft, [field]: text }),
    forget: () => keep(empty),
  };
}
