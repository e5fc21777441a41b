import { useEffect, useRef, type RefObject } from 'react';

/** Of radio buttons the chosen one, as Tab would reach it; the first where none is. */
const FIELDS = [
  'input:enabled:not([hidden], [type=radio])',
  'input[type=radio]:enabled:checked',
  '[role=radiogroup]:not(:has(:checked)) input[type=radio]:enabled',
  'textarea:enabled',
  'button[aria-haspopup=listbox]:enabled',
].join();
/** Opens its suggestions as soon as it has the focus: over the fields below it, before anybody has read them. */
const SUGGESTING = 'input[role=combobox]';

/**
 * Puts the focus in the first field of a form, after the dialog around it has taken it for its own first button; on the
 * form itself, one Tab before the field, where that one would open its suggestions.
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
