import { useEffect, useRef, type RefObject } from 'react';

interface Focusable {
  readonly focus: () => void;
}

/** Puts the focus where a dialog asks for something, after the dialog has taken it for itself. */
export function useFirstFocus<Field extends Focusable>(): RefObject<Field | null> {
  const field = useRef<Field>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => field.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  return field;
}
