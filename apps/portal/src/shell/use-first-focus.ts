import { useEffect, useRef, type RefObject } from 'react';

/** Of radio buttons the chosen one, as Tab would reach it; the first where none is. */
const FIELDS = [
  'input:enabled:not([hidden], [type=radio])',
  'input[type=radio]:enabled:checked',
  '[role=radiogroup]:not(:has(:checked)) input[type=radio]:enabled',
  'textarea:enabled',
  'button[aria-haspopup=listbox]:enabled',
].join();

/** Puts the focus in the first field of a form, after the dialog around it has taken it for its own first button. */
export function useFirstFocus<Form extends HTMLElement>(): RefObject<Form | null> {
  const form = useRef<Form>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (form.current?.contains(document.activeElement)) return;
      form.current?.querySelector<HTMLElement>(FIELDS)?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return form;
}
