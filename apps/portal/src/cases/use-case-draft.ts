import { useSyncExternalStore } from 'react';

/** Texts by the name of their field. */
type Draft = Readonly<Record<string, string>>;

const empty: Draft = {};
/** What was typed and neither sent nor given up. It ends with the session, as everything in the page's memory does. */
const kept = new Map<string, Draft>();
const listeners = new Set<() => void>();

function keep(of: string, draft: Draft): void {
  kept.set(of, draft);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export interface CaseDraft {
  readonly textOf: (field: string) => string;
  readonly setText: (field: string, text: string) => void;
  /** It was sent or given up. */
  readonly forget: () => void;
}

/** What somebody types about a case, there again when they come back to it from another page. */
export function useCaseDraft(of: string): CaseDraft {
  const draft = useSyncExternalStore(subscribe, () => kept.get(of) ?? empty);
  return {
    textOf: (field) => draft[field] ?? '',
    setText: (field, text) => keep(of, { ...draft, [field]: text }),
    forget: () => keep(of, empty),
  };
}
