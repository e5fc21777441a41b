import { useEffect, useRef, type RefObject } from 'react';

/** Of radio buttons the selected one, as with Tab, or the first. */
const FIELDS = [
  'input:enabled:not([hidden], [type=radio])',
  'input[type=radio]:enabled:checked',
  '[role=radiogroup]:not(:has(:checked)) input[type=radio]:enabled',
  'textarea:enabled',
  'button[aria-haspopup=listbox]:enabled',
].join();
/** A combobox opens its suggestions on focus and would cover the fields below. */
const SUGGESTING = 'input[role=combobox]';

/**
 * Focuses the first field of a form, after the dialog has focused its own first button. If that
 * field would open suggestions, focuses the form, so that one Tab reaches the field.
 */
export function useFirstFocus<Form extends HTMLElement>(): RefObject<Form | null> {
  const form = useRef<Form>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const whole = form.current;
      if (whole === null || whole.contains(document.activeElement)) return;
      const field = whole.querySelector<HTMLElement>(FIELDS);
      if (field?.matches(SUGGESTING)) {
        whole.tabIndex = -1;
        whole.style.outline = 'none';
        whole.focus();
      } else field?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return form;
}
