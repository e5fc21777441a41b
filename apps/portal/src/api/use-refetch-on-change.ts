import { useEffect, useRef } from 'react';

/** Loads a query again when what it depends on has changed, without waiting for its next refresh. */
export function useRefetchOnChange(revision: string, refetch: () => unknown): void {
  const known = useRef(revision);
  useEffect(() => {
    if (known.current === revision) return;
    known.current = revision;
    refetch();
  }, [revision, refetch]);
}
